import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that nobody vouches for, with its key, both as PEM; made anew each time. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const nobody = der(0x30);
  const body = der(
    0x30,
    der(0x02, Buffer.from([1])),
    ED25519,
    nobody,
    der(0x30, utcTime('250101000000Z'), utcTime('491231235959Z')),
    nobody,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign(null, body, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(0x30, body, ED25519, signature)),
  };
}

/** One element: its tag, its length, and what is in it. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const inside = Buffer.concat(parts);
  const length = inside.length < 128 ? [inside.length] : [0x82, inside.length >> 8, inside.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), inside]);
}

const ED25519 = der(0x30, der(0x06, Buffer.from([0x2b, 0x65, 0x70])));

const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text));

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
