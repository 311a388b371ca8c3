import { createServer, type Server } from 'node:http';
import express, { type RequestHandler, type Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { createLimiter, type Limiter } from '../../src/sandbox/limiter.ts';
import type { Way } from './decisions.ts';
import { BURST, sandboxKind, type ServerSpec } from './servers.ts';

export function createExpressServer(spec: ServerSpec, way: Way): Server {
  const app = express();
  app.use(travelled(spec, way));
  app.use(limited(spec));
  app.post('/registrations', (request, response) => {
    request.resume().on('end', () => response.status(201).json({ created: true }));
  });
  return createServer(app);
}

/** Holds a request up before the limiter sees it, and its answer afterwards, and leaves out what the service never sends. */
function travelled({ retryAfter }: ServerSpec, way: Way): RequestHandler {
  return async (_request, response, next) => {
    const end = response.end.bind(response) as (body: unknown) => Response;
    const endLater = (body: unknown): Response => {
      way.decided(response.statusCode);
      response.removeHeader('x-ratelimit-reset');
      if (!retryAfter) response.removeHeader('retry-after');
      void way.travel().then(() => end(body));
      return response;
    };
    response.end = endLater as Response['end'];
    await way.travel();
    next();
  };
}

function limited(spec: ServerSpec): RequestHandler {
  const kind = sandboxKind(spec);
  if (kind !== undefined) return sandboxLimit(createLimiter(kind, spec.limit, spec.windowMs), spec);
  return spec.kind === 'express-rate-limit' ? expressRateLimit(spec) : flexible(spec);
}

function sandboxLimit(limiter: Limiter, { limit }: ServerSpec): RequestHandler {
  return (_request, response, next) => {
    const { allowed, remaining } = limiter.take(Date.now());
    response.setHeader('X-RateLimit-Limit', limit);
    response.setHeader('X-RateLimit-Remaining', remaining);
    if (allowed) next();
    else response.status(429).json({ error: 'Too Many Requests' });
  };
}

function expressRateLimit({ limit, windowMs }: ServerSpec): RequestHandler {
  return rateLimit({ limit, windowMs, legacyHeaders: true, standardHeaders: false });
}

function flexible(spec: ServerSpec): RequestHandler {
  const limiter = flexibleLimiter(spec);
  const tell = (response: Response, { remainingPoints }: RateLimiterRes): void => {
    response.setHeader('X-RateLimit-Limit', spec.limit);
    response.setHeader('X-RateLimit-Remaining', remainingPoints);
  };
  return async (request, response, next) => {
    try {
      tell(response, await limiter.consume(request.ip));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      tell(response, refusal);
      response.status(429).json({ error: 'Too Many Requests' });
      return;
    }
    next();
  };
}

function flexibleLimiter({ kind, limit, windowMs }: ServerSpec): Pick<RateLimiterMemory, 'consume'> {
  const window = { points: limit, duration: windowMs / 1000 };
  if (kind === 'rate-limiter-flexible-block')
    return new RateLimiterMemory({ ...window, blockDuration: window.duration });
  const steady = new RateLimiterMemory(window);
  if (kind !== 'rate-limiter-flexible-bursty') return steady;
  const burst = { keyPrefix: 'burst', points: BURST.requests, duration: BURST.windowMs / 1000 };
  return new BurstyRateLimiter(steady, new RateLimiterMemory(burst));
}
