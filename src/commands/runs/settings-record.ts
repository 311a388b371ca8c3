import { given } from '../../settings/env.ts';
import { existingProfile, readProfiles } from '../../settings/profiles.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { Call } from '../terminal/terminal.ts';

/** Settings as support may know them: whether there is a token, an address or a proxy, but not which. */
export function settingsRecord({ options, runtime: { env, paths } }: Call): object {
  const from = (variable: string, saved: unknown): string =>
    given(env, variable) !== undefined ? 'environment' : saved === undefined ? 'nowhere' : 'profile';
  try {
    const { profile } = existingProfile(readProfiles(paths.config), options.profile, env);
    const { timeoutMs, settleMs, refuses503, registrationId, fields } = settingsOf(profile);
    return {
      readable: true,
      base_url_from: from('EVENTREG_BASE_URL', profile.baseUrl),
      integ_url_from: from('EVENTREG_INTEG_URL', profile.integUrl),
      token_from_environment: given(env, 'EVENTREG_TOKEN') !== undefined,
      timeout_ms: timeoutMs,
      settle_ms: settleMs,
      refuses_503: refuses503,
      deletes_by: registrationId ?? 'id',
      fields: fields ?? null,
      own_paths: Object.keys(profile.endpoints ?? {}),
      proxy: ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].some(
        (name) => given(env, name) !== undefined,
      ),
      own_certificates: given(env, 'NODE_EXTRA_CA_CERTS') !== undefined,
    };
  } catch {
    // Why they are not is said by the doctor.
    return { readable: false };
  }
}
