import { Writable } from 'node:stream';
import type { Context } from '../../context.js';
import { explainResourceLack, OcrError } from '../../contract/ocr-error.js';
import type { Sink } from '../../io/terminal/sink.js';
import { answerError, answerObject, readText, type ToolAnswer } from './answer.js';
import { type Call, extractTables, inspectDocument, listFunctions, readDocument } from './documents.js';
import { findRequests } from './find-requests.js';
import { directoriesOf, openRoots, type Root } from './roots.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  RootsListChangedNotificationSchema,
  Server,
  StdioServerTransport,
} from './sdk.js';
import { TextMemory } from './text-memory.js';
import { refuseUnknownArguments, TOOLS } from './tools.js';

const INSTRUCTIONS =
  'Reads PDFs, scans and photographs on this machine. read_document gives the text; a long one comes in parts, each with a nextCursor until the last. Use inspect_document first if a document may be very long.';

const HANDLERS: Record<string, (call: Call, args: Record<string, unknown>) => Promise<ToolAnswer>> = {
  read_document: readDocument,
  extract_tables: extractTables,
  inspect_document: inspectDocument,
  list_functions: listFunctions,
  find_request: async ({ context }, args) => {
    const query = readText(args, 'query');
    if (query === undefined) throw new OcrError('USAGE', 'query is missing', { hint: 'Say what to look for.' });
    return answerObject(await findRequests(context, query));
  },
};

/**
 * Serves the Model Context Protocol on standard input and output until the client closes them. Standard output has nothing
 * but the protocol.
 */
export async function mcp(context: Context): Promise<void> {
  const { io, signal, version } = context;
  const server = new Server(
    { name: 'ocr', title: 'Document OCR', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const ending = new AbortController();
  const running = new Set<Promise<unknown>>();
  const memory = new TextMemory();
  const roots = watchRoots(server);

  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [...TOOLS] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const handler = Object.hasOwn(HANDLERS, params.name) ? HANDLERS[params.name] : undefined;
    if (handler === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
    const token = params._meta?.progressToken;
    let reported = -1;
    const onProgress = (pagesDone: number, pageCount: number) => {
      // Progress must grow with each notification.
      if (token === undefined || pagesDone <= reported) return;
      reported = pagesDone;
      const message = `${pagesDone} of ${pageCount} pages`;
      const report = { progressToken: token, progress: pagesDone, total: pageCount, message };
      void extra.sendNotification({ method: 'notifications/progress', params: report }).catch(() => {});
    };
    const calling = (async () => {
      refuseUnknownArguments(params.name, params.arguments ?? {});
      const call = {
        context,
        memory,
        onProgress,
        signal: AbortSignal.any([extra.signal, ending.signal]),
        roots: await roots(),
      };
      return await handler(call, params.arguments ?? {});
    })();
    running.add(calling);
    try {
      return await calling;
    } catch (error) {
      if (extra.signal.aborted || ending.signal.aborted) throw error;
      return answerError(toOcrError(context, error));
    } finally {
      running.delete(calling);
    }
  });

  const toClient = writeTo(io.stdout);
  const transport = new StdioServerTransport(io.stdin, toClient);
  transport.onerror = (error) => {
    const answer = answerUnreadable(error);
    if (answer !== undefined) toClient.write(`${JSON.stringify(answer)}\n`);
  };
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    io.stdin.once('end', resolve);
    io.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.onerror = (error) => context.output.debug(`mcp: ${error.message}`);
  await server.connect(transport);
  await closed;
  // Nobody waits for the calls any more: their jobs are cancelled.
  ending.abort(new OcrError('INTERRUPTED', 'The client closed the connection'));
  await Promise.allSettled(running);
  await server.close();
  if (signal.aborted) throw signal.reason;
}

/** Answers a line that is no message, whose id nobody knows (JSON-RPC 2.0, section 5); undefined for another error. */
function answerUnreadable(error: Error): object | undefined {
  const isParseError = error instanceof SyntaxError;
  // The SDK checks messages with zod, whose errors list the issues.
  if (!isParseError && !('issues' in error)) return undefined;
  const [code, message] = isParseError
    ? [ErrorCode.ParseError, 'Parse error: the line is not JSON']
    : [ErrorCode.InvalidRequest, 'Invalid request: the line is no JSON-RPC 2.0 message'];
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

/** Asks the client for its roots once, and again after it says that they changed; else the working directory counts. */
function watchRoots(server: Server): () => Promise<readonly Root[]> {
  let known: Promise<readonly Root[]> | undefined;
  const ask = async () => {
    const named = server.getClientCapabilities()?.roots === undefined ? [] : (await server.listRoots()).roots;
    return await openRoots(named.length === 0 ? [process.cwd()] : directoriesOf(named));
  };
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    known = undefined;
  });
  return () => {
    if (known === undefined) {
      const asking = ask();
      known = asking;
      // A client that did not answer is asked again.
      asking.catch(() => {
        if (known === asking) known = undefined;
      });
    }
    return known;
  };
}

function writeTo(sink: Sink): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      sink.write(chunk).then(() => done(), done);
    },
  });
}

function toOcrError(context: Context, thrown: unknown): OcrError {
  if (thrown instanceof OcrError) return thrown;
  const lack = explainResourceLack(thrown);
  if (lack !== undefined) return lack;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  context.output.debug(`mcp: ${thrown instanceof Error ? thrown.stack : message}`);
  return new OcrError('BUG', `This is a bug in ocr: ${message.split('\n')[0]}`, {
    hint: 'Start the server with --debug to see where.',
  });
}
