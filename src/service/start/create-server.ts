import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { createId } from '../../contract/identifiers.js';
import { callOf, noteRefusedKey } from '../http/call-record.js';
import { type CallLog, createCallLog } from '../http/log-calls.js';
import { noteFault } from '../http/note-fault.js';
import { findKeyFault } from '../http/read-key.js';
import { answerError, markAwaitingContinue, sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { authenticateReader } from '../intake/admission.js';
import { isPortalPath, registerPortal } from '../portal/register-portal.js';
import { registerDeleteJob } from '../routes/delete-job.js';
import { registerGetJob } from '../routes/get-job.js';
import { registerGetRequest } from '../routes/get-request.js';
import { registerGetUsage } from '../routes/get-usage.js';
import { registerHealth } from '../routes/health.js';
import { registerListFunctions } from '../routes/list-functions.js';
import { registerMetrics } from '../routes/metrics.js';
import { registerOpenApi } from '../routes/openapi.js';
import { registerRunFunction } from '../routes/run-function.js';
import { registerStop } from '../routes/stop.js';
import { registerStreamEvents } from '../routes/stream-events.js';
import type { ServiceComponents } from '../service-components.js';

const MAX_CHECK_INTERVAL_MS = 5_000;

const refuseSchemas = (): never => {
  throw new Error('routes have no schemas');
};
/** Fastify's own schema compilers, which are unused here and take half of its load time. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } };

/**
 * The methods of each path, for 405 and its Allow header. The first match counts: `functions`, `usage`, `events` and `jobs` are no function names.
 */
const METHODS: ReadonlyArray<readonly [path: RegExp, allow: string]> = [
  [/^\/(?:healthz|readyz|metrics)$/, 'GET, HEAD'],
  [/^\/v1\/openapi\.json$/, 'GET, HEAD'],
  [/^\/v1\/ocr\/(?:functions|usage|events)$/, 'GET, HEAD'],
  [/^\/v1\/ocr\/jobs\/[^/]+$/, 'GET, HEAD, DELETE'],
  [/^\/v1\/ocr\/requests\/[^/]+$/, 'GET, HEAD'],
  [/^\/v1\/ocr\/(?!(?:jobs|requests)$)[^/]+$/, 'POST'],
];

/**
 * Creates the HTTP server: routes, the envelope for every error, timeouts. Bodies are streamed, never buffered. `stop` stops the
 * service.
 */
export function createServer(components: ServiceComponents, stop: () => unknown): FastifyInstance {
  const { config } = components;
  const calls = createCallLog(components);
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    genReqId: () => createId('req', components.store.clock.now()),
    requestTimeout: config.requestTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: config.headersTimeoutMs,
      // A route refuses it with an envelope.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, Math.ceil(config.headersTimeoutMs / 2)),
    },
    frameworkErrors: (error, request, reply) => {
      // These errors come before any hook.
      calls.follow(request, reply);
      refuseFor(components, error, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseMalformedHttp(error, socket, calls),
  });
  app.decorateRequest('callRecord', null);
  app.removeAllContentTypeParsers();
  // Bodies stay streams: the upload route reads its own, other routes have none.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  takeExpectations(app);
  app.addHook('onRequest', async (request, reply) => {
    calls.follow(request, reply);
    const fault = findHostFault(request.raw) ?? (isPortalPath(request.url) ? undefined : findKeyFault(request.raw));
    if (fault === undefined) return;
    const refusal = new ServiceError('INVALID_ARGS', fault, { headers: { connection: 'close' } });
    return sendAnswer(request, reply, answerError(refusal, request.id));
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    // A caller that reads nothing of its answer for this time is cut off. Any progress restarts the time.
    request.raw.socket.setTimeout(config.requestTimeoutMs);
    done();
  });
  app.setErrorHandler((error, request, reply) => refuseFor(components, error, request, reply));
  registerRoutes(app, components);
  registerStop(app, components, stop);
  return app;
}

function registerRoutes(app: FastifyInstance, components: ServiceComponents): void {
  registerHealth(app, components);
  registerMetrics(app, components);
  if (components.config.role !== 'worker') registerCalls(app, components);
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The refusal needs no key. With a valid key, the organisation finds the call in its log.
    callOf(request).caller = await authenticateReader(components, request.raw.headers).catch(() => undefined);
    return sendAnswer(request, reply, answerError(refusePath(request), request.id));
  };
  app.setNotFoundHandler(refuse);
  // Function names are in upper snake case, so these paths belong to other resources.
  app.post('/v1/ocr/functions', refuse);
  app.post('/v1/ocr/usage', refuse);
  app.post('/v1/ocr/events', refuse);
}

/** Registers the calls of organisations. A worker takes none. */
function registerCalls(app: FastifyInstance, components: ServiceComponents): void {
  registerListFunctions(app, components);
  registerGetJob(app, components);
  registerDeleteJob(app, components);
  registerGetRequest(app, components);
  registerGetUsage(app, components);
  registerStreamEvents(app, components);
  registerOpenApi(app, components);
  registerRunFunction(app, components);
  registerPortal(app, components);
}

/**
 * Calls that wait for "100 Continue" go to their route. An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node
 * would refuse it without an envelope.
 */
function takeExpectations({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    markAwaitingContinue(request);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Characters of a host and its port (RFC 3986, section 3.2.2). */
const HOST = /^[\w.~!$&'()*+,;=:%[\]-]*$/;

/**
 * Returns what is wrong with the Host header, if anything (RFC 9112, section 3.2). A proxy and a service that believe different
 * hosts would serve one caller in another's name.
 */
function findHostFault(request: IncomingMessage): string | undefined {
  const hosts = request.headersDistinct.host ?? [];
  if (hosts.length > 1) return 'The call has more than one Host header';
  if (hosts[0] === undefined) return request.httpVersion === '1.1' ? 'The call has no Host header' : undefined;
  return HOST.test(hosts[0]) ? undefined : 'The Host header is not a host';
}

/** Answers errors of Fastify and of routes. */
function refuseFor(
  { log }: ServiceComponents,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error, request);
  noteRefusedKey(request, error);
  if (refusal === undefined) noteFault(log, request.id, error);
  return sendAnswer(request, reply, answerError(refusal ?? error, request.id));
}

/** Converts Fastify's own refusals to the contract's terms; undefined for other errors. */
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

/** Answers requests that are not valid HTTP, and senders that are cut off. Without a call there is no envelope. */
function refuseMalformedHttp(error: NodeJS.ErrnoException, socket: AnsweringSocket, calls: CallLog): void {
  // Bytes after the last call of a connection (RFC 9112, section 9.6). Node closes it after the answer.
  if (error.code === 'HPE_CLOSED_CONNECTION') return;
  if (error.code !== 'ECONNRESET' && isAnswerDue(socket)) {
    endAfterAnswer(socket);
    return;
  }
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
  // The timer cuts off a sender that keeps sending.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** A socket with the answer that is being made or sent on it. Node's own handler uses the same property. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/** True when a whole call came before the malformed bytes and has no answer yet. */
function isAnswerDue({ _httpMessage: answer }: AnsweringSocket): boolean {
  return answer?.headersSent === false && answer.req.complete;
}

function endAfterAnswer({ _httpMessage: answer }: AnsweringSocket): void {
  if (answer) answer.shouldKeepAlive = false;
}

/** True when an early refusal was already sent on this socket. */
function hasBegunAnswer(socket: AnsweringSocket): boolean {
  return socket._httpMessage?.headersSent === true;
}
