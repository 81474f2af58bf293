import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { createId } from '../../contract/identifiers.js';
import { callOf } from '../http/call-record.js';
import { type CallLog, createCallLog } from '../http/log-calls.js';
import { noteFault } from '../http/note-fault.js';
import { answerError, markAwaitingContinue, sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { authenticate } from '../intake/admission.js';
import { registerGetJob } from '../routes/get-job.js';
import { registerGetRequest } from '../routes/get-request.js';
import { registerHealth } from '../routes/health.js';
import { registerListFunctions } from '../routes/list-functions.js';
import { registerMetrics } from '../routes/metrics.js';
import { registerOpenApi } from '../routes/openapi.js';
import { registerRunFunction } from '../routes/run-function.js';
import type { ServiceComponents } from '../service-components.js';

const MAX_CHECK_INTERVAL_MS = 5_000;

const refuseSchemas = (): never => {
  throw new Error('routes have no schemas');
};
/** Fastify's own compilers of schemas, which nothing here uses, take half of the time in which it is loaded. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } };

/** The methods of each path, for 405 and its Allow header. The first match counts: `functions` and `jobs` are not names of functions. */
const METHODS: ReadonlyArray<readonly [path: RegExp, allow: string]> = [
  [/^\/(?:healthz|readyz|metrics)$/, 'GET, HEAD'],
  [/^\/v1\/openapi\.json$/, 'GET, HEAD'],
  [/^\/v1\/ocr\/functions$/, 'GET, HEAD'],
  [/^\/v1\/ocr\/jobs\/[^/]+$/, 'GET, HEAD'],
  [/^\/v1\/ocr\/requests\/[^/]+$/, 'GET, HEAD'],
  [/^\/v1\/ocr\/(?!(?:jobs|requests)$)[^/]+$/, 'POST'],
];

/** The HTTP side: routes, the envelope for everything that goes wrong, time-outs. Bodies are streamed, never buffered. */
export function createServer(components: ServiceComponents): FastifyInstance {
  const { config } = components;
  const calls = createCallLog(components);
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    genReqId: () => createId('req'),
    requestTimeout: config.requestTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: config.headersTimeoutMs,
      // Ours to refuse, with an envelope.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, Math.ceil(config.headersTimeoutMs / 2)),
    },
    frameworkErrors: (error, request, reply) => {
      // Before any hook.
      calls.follow(request, reply);
      refuseFor(components, error, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseMalformedHttp(error, socket, calls),
  });
  app.decorateRequest('callRecord', null);
  app.removeAllContentTypeParsers();
  // Bodies stay streams: the upload is read by its own route, everything else has none.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  takeExpectations(app);
  app.addHook('onRequest', async (request, reply) => {
    calls.follow(request, reply);
    if (request.raw.httpVersion !== '1.1' || request.raw.headers.host !== undefined) return;
    const headers = { connection: 'close' };
    const refusal = new ServiceError('INVALID_ARGS', 'The call has no Host header', { headers });
    return sendAnswer(request, reply, answerError(refusal, request.id));
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    // A caller that takes nothing of its answer for so long is let go; while anything gets through, it has its time.
    request.raw.socket.setTimeout(config.requestTimeoutMs);
    done();
  });
  app.setErrorHandler((error, request, reply) => refuseFor(components, error, request, reply));
  registerRoutes(app, components);
  return app;
}

function registerRoutes(app: FastifyInstance, components: ServiceComponents): void {
  registerHealth(app, components);
  registerMetrics(app, components);
  registerListFunctions(app, components);
  registerGetJob(app, components);
  registerGetRequest(app, components);
  registerOpenApi(app, components);
  registerRunFunction(app, components);
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Needs no key; where a good one was sent, its organisation finds the call in its log.
    callOf(request).caller = await authenticate(components, request.raw.headers).catch(() => undefined);
    return sendAnswer(request, reply, answerError(refusePath(request), request.id));
  };
  app.setNotFoundHandler(refuse);
  // Function names are in upper snake case; this path is the catalog's.
  app.post('/v1/ocr/functions', refuse);
}

/** Whoever asks before sending a body is answered by its route; an unknown expectation may be ignored (RFC 9110, section 10.1.1), where Node would refuse it without an envelope. */
function takeExpectations({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    markAwaitingContinue(request);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Answers what Fastify, or a route of ours, could not. */
function refuseFor(
  { log }: ServiceComponents,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error, request);
  if (refusal === undefined) noteFault(log, request.id, error);
  return sendAnswer(request, reply, answerError(refusal ?? error, request.id));
}

/** What Fastify itself refuses, in the contract's terms; undefined for any other error. */
function refusalOf(error: unknown, request: FastifyRequest): ServiceError | undefined {
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ServiceError('INVALID_ARGS', 'The body must be multipart/form-data with a part "file"');
  if (statusCode !== undefined && statusCode < 500)
    return new ServiceError('NOT_FOUND', `There is nothing at ${JSON.stringify(request.url.slice(0, 100))}`);
  return undefined;
}

function refusePath(request: FastifyRequest): ServiceError {
  const path = request.url.split('?', 1)[0] ?? '';
  const allow = METHODS.find(([pattern]) => pattern.test(path))?.[1];
  if (allow === undefined || allow.split(', ').includes(request.method))
    return new ServiceError('NOT_FOUND', `There is nothing at ${JSON.stringify(path.slice(0, 100))}`);
  return new ServiceError('METHOD_NOT_ALLOWED', `${path.slice(0, 100)} does not take ${request.method}`, {
    headers: { allow },
  });
}

/** What HTTP itself cannot parse, and senders that are cut off: nothing is known of a call yet, so there is no envelope. */
function refuseMalformedHttp(error: NodeJS.ErrnoException, socket: Socket, calls: CallLog): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy();
    return;
  }
  const [status, reason] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'Request Timeout']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large']
        : [400, 'Bad Request'];
  const requestId = calls.noteUnparsed(status, reason);
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\nX-Request-Id: ${requestId}\r\n\r\n`,
  );
  // A sender that keeps sending is cut off.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** A call that was refused early is answered already; what cannot be parsed comes after it. Node's own handler looks there too. */
function hasBegunAnswer(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}
