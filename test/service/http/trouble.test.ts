import { describe, expect, test } from 'vitest';
import { describeFailure, isLasting, mendOf } from '../../../src/service/http/trouble.ts';

const ALTNAMES =
  "Hostname/IP does not match certificate's altnames: Host: a.example. is not in the cert's altnames: DNS:b.example, DNS:c.example";

describe('what is wrong with a certificate or with TLS has a sentence of its own', () => {
  test.each([
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'its certificate has expired', 'renew it'],
    ['CERT_NOT_YET_VALID', 'x', 'its certificate is not valid yet', 'clock'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      ALTNAMES,
      'its certificate is for another host (b.example, c.example)',
      'Check the address',
    ],
    ['UND_ERR_PRX_TLS', 'x', 'its certificate is for another host (x)', 'Check the address'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'x', 'authority that this machine does not know', 'NODE_EXTRA_CA_CERTS'],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'x',
      'authority that this machine does not know',
      'NODE_EXTRA_CA_CERTS',
    ],
    [
      'CERT_REVOKED',
      'certificate revoked',
      'cannot be relied on (certificate revoked)',
      'NODE_EXTRA_CA_CERTS',
    ],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'x', 'it speaks TLS 1.0 or 1.1 alone', 'TLS 1.2'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'x', 'it does not speak TLS there', 'port'],
  ])('%s', (code, message, what, mend) => {
    expect(describeFailure(code, message)).toContain(what);
    expect(mendOf(code)).toContain(mend);
    expect(isLasting(code)).toBe(true);
  });
});

test('a code that nobody knows is told with its words, and tried again', () => {
  expect([describeFailure('ENEW', 'Something new'), mendOf('ENEW'), isLasting('ENEW')]).toEqual([
    'Something new (ENEW)',
    undefined,
    false,
  ]);
});
