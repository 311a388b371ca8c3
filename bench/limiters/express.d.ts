// Express ships no types of its own: what the servers here use of it.
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export interface Request extends IncomingMessage {
    ip: string;
  }
  export interface Response extends ServerResponse {
    status(code: number): Response;
    json(body: unknown): Response;
  }
  export type NextFunction = (error?: unknown) => void;
  export type RequestHandler = (request: Request, response: Response, next: NextFunction) => unknown;
  export interface Express extends RequestListener {
    use(handler: RequestHandler): Express;
    post(path: string, handler: RequestHandler): Express;
  }
  export default function express(): Express;
}
