import type { HttpResponse, OnSending, Transport } from './http.ts';

/** Sends one authorised request through the whole stack. */
export type Caller = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: URL,
  body?: string,
  onSending?: OnSending,
) => Promise<HttpResponse>;

/** Adds the headers that the interface declares, and a User-Agent. */
export function createCaller(
  send: Transport,
  { token, userAgent }: { token: string; userAgent: string },
): Caller {
  return (method, url, body, onSending) =>
    send({
      method,
      url,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      ...(onSending === undefined ? {} : { onSending }),
    });
}

export function isSuccess(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300;
}
