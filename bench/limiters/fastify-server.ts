import type { Server } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import type { Way } from './decisions.ts';
import type { ServerSpec } from './servers.ts';

export async function createFastifyServer(spec: ServerSpec, way: Way): Promise<Server> {
  const app = fastify();
  // Hooks of the server come before those that the limiter puts on the route.
  app.addHook('onRequest', () => way.travel());
  app.addHook('onSend', async (_request, reply) => {
    way.decided(reply.statusCode);
    await way.travel();
  });
  await app.register(rateLimit, {
    max: spec.limit,
    timeWindow: spec.windowMs,
    continueExceeding: spec.kind === 'fastify-rate-limit-continue',
    addHeadersOnExceeding: { 'x-ratelimit-reset': false },
    addHeaders: { 'x-ratelimit-reset': false, 'retry-after': spec.retryAfter },
  });
  app.post('/registrations', async (_request, reply) => reply.code(201).send({ created: true }));
  await app.ready();
  return app.server;
}
