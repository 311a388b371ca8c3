// One server in a process of its own: `fork(server.ts, [spec as JSON])`. Sends its port, and, asked with any
// message, its decisions. Ends with the process that started it, whatever becomes of that one.
import type { AddressInfo } from 'node:net';
import { createWay } from './decisions.ts';
import { createExpressServer } from './express-server.ts';
import { createFastifyServer } from './fastify-server.ts';
import type { ServerSpec } from './servers.ts';

process.on('disconnect', () => process.exit());

const spec = JSON.parse(process.argv[2] ?? '') as ServerSpec;
const way = createWay(spec);
const server = spec.kind.startsWith('fastify')
  ? await createFastifyServer(spec, way)
  : createExpressServer(spec, way);
process.on('message', () => process.send?.(way.decisions));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
