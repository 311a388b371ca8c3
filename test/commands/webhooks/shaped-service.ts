import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** How a service does the operations on webhooks. */
export interface Shape {
  /** Where the event is named; `asked`: a refusal says so, `silent`: it does not. */
  event: 'nowhere' | 'asked' | 'silent' | 'path';
  update: 'PUT' | 'PATCH' | 'silent PATCH' | 'POST /update';
  remove: 'DELETE' | 'POST /delete' | 'DELETE ?id=';
  idKey: 'id' | '_id' | 'uuid' | 'null-and-_id';
  list: 'all' | 'wrapped' | 'empty' | 'no-ids' | 'absent' | 'host-only';
  answer: 'record' | 'wrapped' | 'empty' | 'id-only';
  /** What deletes of none are answered with. */
  missing: 404 | 200;
}

export const EVENT_ID = 4711;

type Hook = Record<string, unknown> & { id: number };

/** The endpoints of a profile that says all of a shape that differs from the usual. */
export function endpointsOf({ event, update, remove }: Shape): Record<string, string> {
  const base = event === 'path' ? '/v1/events/{event_id}/webhooks' : '/v1/webhooks';
  const query = event === 'asked' || event === 'silent' ? '?event_id={event_id}' : '';
  const [method, tail = ''] = update.replace('silent ', '').split(' ');
  const removal = { DELETE: `${base}/{id}${query}`, 'POST /delete': `POST ${base}/{id}/delete${query}` };
  return {
    listWebhooks: `${base}${query}`,
    createWebhook: base,
    updateWebhook: `${method} ${base}/{id}${tail}${query}`,
    deleteWebhook:
      remove === 'DELETE ?id=' ? `DELETE ${base}?id={id}${query.replace('?', '&')}` : removal[remove],
  };
}

/** A service of that shape, with two webhooks of others. */
export async function shapedService(shape: Shape) {
  const hooks: Hook[] = ['Badge printer', 'eventreg listen'].map((name, at) => ({
    id: at + 1,
    event_id: EVENT_ID,
    name,
    webhook_url: `https://other.example/${at}`,
    triggers: ['registration.updated'],
    active: true,
    config: {},
  }));
  let last = hooks.length;
  const asked: string[] = [];

  const named = ({ id, ...rest }: Hook): object => {
    const text = `wh_${id}`;
    if (shape.idKey === 'null-and-_id') return { id: null, _id: text, ...rest };
    return { [shape.idKey]: shape.idKey === 'id' ? id : text, ...rest };
  };
  const find = (id: string): Hook | undefined =>
    hooks.find((hook) => (shape.idKey === 'id' ? String(hook.id) : `wh_${hook.id}`) === id);

  const listed = (): unknown => {
    const all = hooks.map((hook) => {
      if (shape.list === 'no-ids') return { ...hook, id: undefined };
      if (shape.list !== 'host-only') return named(hook);
      return named({ ...hook, webhook_url: new URL(hook['webhook_url'] as string).host });
    });
    if (shape.list === 'empty') return [];
    return shape.list === 'all' ? all : { data: all };
  };
  const answered = (hook: Hook): [number, unknown?] => {
    if (shape.answer === 'empty') return [204];
    if (shape.answer === 'id-only') return [200, { success: true, id: 1 }];
    return [200, shape.answer === 'record' ? named(hook) : { data: named(hook) }];
  };
  const removed = (hook: Hook | undefined): [number, unknown?] => {
    if (hook === undefined) return [shape.missing, { message: 'No.' }];
    hooks.splice(hooks.indexOf(hook), 1);
    return [200, { message: 'Deleted.' }];
  };

  const answer = (method: string, url: URL, body: string): [number, unknown?, string?] => {
    const base = shape.event === 'path' ? `/v1/events/${EVENT_ID}/webhooks` : '/v1/webhooks';
    if (!url.pathname.startsWith(base)) return [404, { message: 'Nothing here.' }];
    const [id = '', action = ''] = url.pathname.slice(base.length + 1).split('/');
    const isMissingEvent = url.searchParams.get('event_id') !== String(EVENT_ID);
    const isCreate = method === 'POST' && id === '';
    if (isMissingEvent && !isCreate && (shape.event === 'asked' || shape.event === 'silent')) {
      const errors = shape.event === 'asked' ? { event_id: ['is required'] } : {};
      return [422, { message: 'Invalid.', errors }];
    }
    if (isCreate) {
      const hook = { ...(JSON.parse(body) as object), id: (last += 1) };
      hooks.push(hook);
      return answered(hook);
    }
    if (method === 'GET' && id === '' && shape.list !== 'absent') return [200, listed()];
    if (shape.remove === 'DELETE ?id=' && method === 'DELETE') {
      return id === '' ? removed(find(url.searchParams.get('id') ?? '')) : [404];
    }
    if (id === '') return [405, { message: 'No.' }, 'POST'];
    if (action === 'delete' && shape.remove === 'POST /delete' && method === 'POST') return removed(find(id));
    if (action === '' && shape.remove === 'DELETE' && method === 'DELETE') return removed(find(id));
    const isUpdate =
      shape.update === 'POST /update'
        ? method === 'POST' && action === 'update'
        : action === '' && shape.update.endsWith(method);
    const hook = find(id);
    if (isUpdate) return hook === undefined ? [404] : answered(Object.assign(hook, JSON.parse(body)));
    return [405, { message: 'No.' }, ...(shape.update === 'PATCH' ? ['GET, PATCH'] : [])] as [
      number,
      unknown,
    ];
  };

  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      asked.push(`${method} ${url}`);
      const [status, content, allow] = answer(method, new URL(url, 'http://127.0.0.1'), body);
      response.writeHead(status, { 'content-type': 'application/json', ...(allow && { allow }) });
      response.end(content === undefined ? '' : JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hooks,
    asked,
    /** As somebody would type it. */
    idOf: (hook: Hook): string => (shape.idKey === 'id' ? String(hook.id) : `wh_${hook.id}`),
  };
}
