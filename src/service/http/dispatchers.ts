import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { UsageError } from '../../errors.ts';

interface DispatcherOptions {
  /** Longest wait for the headers of an answer, and between two pieces of its body, in milliseconds. */
  timeoutMs: number;
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY as the environment has them, in either case. */
  env: Readonly<Record<string, string | undefined>>;
}

export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/** The direct way, and the way to other machines, which may lead through a proxy. */
export function createDispatchers({ env, timeoutMs }: DispatcherOptions): {
  direct: Dispatcher;
  outside: Dispatcher;
} {
  const common = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    maxResponseSize: MAX_ANSWER_BYTES,
  };
  const direct = new Agent(common);
  const httpProxy = proxyAddress(env, 'http_proxy');
  const httpsProxy = proxyAddress(env, 'https_proxy');
  if (httpProxy === '' && httpsProxy === '') return { direct, outside: direct };
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const limitMs = Math.min(timeoutMs, CONNECT_TIMEOUT_MS);
  const toProxy = (origin: URL, proxyOptions: object): Dispatcher =>
    connectToProxy(origin, { ...proxyOptions, headersTimeout: limitMs });
  const ways = { ...common, httpProxy, httpsProxy, noProxy, clientFactory: toProxy };
  return { direct, outside: new EnvHttpProxyAgent(ways) };
}

/** The proxy that the environment names, in either case; empty when it names none. */
function proxyAddress(env: DispatcherOptions['env'], name: string): string {
  const value = (env[name] ?? env[name.toUpperCase()] ?? '').trim();
  if (value === '') return '';
  const address = value.includes('://') ? value : `http://${value}`;
  // The value may hold a password, so the error does not repeat it.
  if (URL.canParse(address)) return address;
  throw new UsageError(`${name.toUpperCase()} is not the address of a proxy.`, {
    hint: 'Write it as http://HOST:PORT.',
  });
}

/** What of making a connection is about the proxy, where there is one. */
const UNREACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Asks a proxy for a way through. Undici takes one that hangs up without a word for a passing fault, and
 * would ask again at once, thousands of times a second; nor would it ever give up waiting for its answer.
 */
function connectToProxy(origin: URL, options: Pool.Options): Dispatcher {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool);
  const once = async (request: Dispatcher.ConnectOptions): Promise<unknown> => {
    const answer = await connect(request).catch((error: unknown) => {
      const { code = '', message } = error as Error & { code?: string };
      if (code !== 'UND_ERR_SOCKET' && !UNREACHED.test(code)) throw error;
      const [own, what] =
        code === 'UND_ERR_SOCKET' ? ['EPROXY', 'the proxy hung up'] : [`EPROXY_${code}`, message];
      throw Object.assign(new Error(what, { cause: error }), { code: own });
    });
    const { statusCode, socket } = answer;
    if (statusCode === 200) return answer;
    socket.on('error', () => undefined).destroy();
    throw Object.assign(new Error(String(statusCode)), { code: `EPROXY_${statusCode}` });
  };
  return Object.assign(pool, { connect: once as Dispatcher['connect'] });
}
