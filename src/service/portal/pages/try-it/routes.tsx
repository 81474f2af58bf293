import { findFunction } from '../../../../functions/catalog.js';
import type { OcrFunction } from '../../../../functions/function.js';
import { nameLanguages } from '../../../../functions/name-languages.js';
import type { JobRow } from '../../../../store/jobs.js';
import { findPlanOf } from '../../../../store/plans.js';
import type { RequestRow } from '../../../../store/requests.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { mintNonce } from '../../doors/form-nonces.js';
import { readSignedId, type SignedPlace, signId } from '../../doors/signed-ids.js';
import { ownScopeOf, type PortalCall, type PortalRoute } from '../../portal-call.js';
import { MEMBERS } from '../../roles.js';
import { findJob, findResult } from '../../scoped/jobs.js';
import { findOneRequest } from '../../scoped/requests.js';
import { answerChoice } from '../choose-organisation.js';
import { fieldOf, listFields, toTyped } from './argument-fields.js';
import { answerDownload } from './download.js';
import { FormPage } from './form-page.js';
import { drawReason } from './picture-reason.js';
import { readArguments } from './read-arguments.js';
import { FailedPage, GonePage, ResultPage, WaitingPage } from './result-page.js';
import { describeResult, MAX_PARSED_LENGTH, type ShownResult } from './result-views.js';
import { runTry } from './run-try.js';
import { resultPathOf } from './try-paths.js';

const FORM = '/functions/:functionId/try';
const RESULT = `${FORM}/:tryId`;
const ROTATIONS = [0, 90, 180, 270];

export const TRY_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: FORM, roles: MEMBERS, answer: answerForm },
  { method: 'POST', path: FORM, roles: MEMBERS, takesFile: true, answer: answerRun },
  { method: 'GET', path: RESULT, roles: MEMBERS, answer: answerResult },
  { method: 'GET', path: `${RESULT}/pages/:page`, roles: MEMBERS, answer: answerPicture },
  { method: 'GET', path: `${RESULT}/:form`, roles: MEMBERS, answer: answerResultFile },
];

/** Finds the function of the address. @throws PortalNotFound */
function requireFunction({ params }: PortalCall): OcrFunction {
  const found = findFunction(params.functionId ?? '');
  if (found === undefined) throw new PortalNotFound();
  return found;
}

async function answerForm(call: PortalCall): Promise<PortalAnswer> {
  const target = requireFunction(call);
  if (call.organisationId === undefined) return await answerChoice(call, `Try ${target.title.toLowerCase()}`);
  const typed = new URLSearchParams(call.url.searchParams);
  return await renderForm(call, target, { status: 200, typed, isFresh: true });
}

async function answerRun(call: PortalCall): Promise<PortalAnswer> {
  const { frame, session } = call;
  const target = requireFunction(call);
  const { organisationId } = ownScopeOf(call);
  const outcome = await runTry(call, target);
  if (outcome.kind === 'refused') return await renderForm(call, target, { ...outcome, isFresh: false });
  const tryId = signId(placeOf(session.token, organisationId), outcome.requestId);
  return answerRedirect(hrefOf(frame, resultPathOf(target.id, tryId), queryOf(target, outcome.args)));
}

async function renderForm(
  call: PortalCall,
  target: OcrFunction,
  {
    status,
    headers = {},
    ...form
  }: { status: number; headers?: Record<string, string> } & Pick<
    Parameters<typeof FormPage>[0],
    'typed' | 'isFresh' | 'errors' | 'refusal' | 'refused'
  >,
): Promise<PortalAnswer> {
  const { components, frame, session, store } = call;
  const { organisationId } = ownScopeOf(call);
  const entry = { ...target, argsSchema: nameLanguages(target.argsSchema, components.recognition.listLanguages()) };
  const page = answerPage(
    <FormPage
      frame={frame}
      entry={entry}
      plan={await findPlanOf(store, organisationId)}
      maxFileBytes={components.config.maxFileBytes}
      nonce={mintNonce({ token: session.token, organisationId, prefix: 'req' }, store.clock.now())}
      {...form}
    />,
    status,
  );
  return { ...page, headers: { ...headers, ...page.headers } };
}

/** Ids of calls that this session has made: nobody else has their addresses. */
function placeOf(token: string, organisationId: string): SignedPlace {
  return { token, organisationId, purpose: 'try' };
}

/** Renders arguments into an address, without secrets: the next form begins with them. */
function queryOf(target: OcrFunction, args: Record<string, unknown>): Record<string, string> {
  const open = listFields(target.argsSchema).filter(({ name, isSecret }) => !isSecret && args[name] !== undefined);
  return Object.fromEntries(open.map(({ name, field }) => [field, toTyped(args[name]) ?? '']));
}

interface Tried {
  entry: OcrFunction;
  tryId: string;
  request: RequestRow;
  job: JobRow;
  query: Record<string, string>;
}

/** Finds the call of the address. @throws PortalNotFound for that of another session */
async function requireTry(call: PortalCall): Promise<Tried> {
  const { components, session, params, url } = call;
  const entry = requireFunction(call);
  const scope = ownScopeOf(call);
  const tryId = params.tryId ?? '';
  const requestId = readSignedId(placeOf(session.token, scope.organisationId), tryId);
  if (requestId === undefined) throw new PortalNotFound();
  await components.requests.flush();
  const request = await findOneRequest(scope, requestId);
  const job = request?.jobId == null ? undefined : await findJob(scope, request.jobId);
  if (request === undefined || job === undefined || request.function !== entry.id) throw new PortalNotFound();
  const { args } = readArguments(entry, url.searchParams);
  return { entry, tryId, request, job, query: queryOf(entry, args) };
}

async function answerResult(call: PortalCall): Promise<PortalAnswer> {
  const { components, frame, url, pictures } = call;
  const tried = await requireTry(call);
  const { entry, request, job, query } = tried;
  if (job.status === 'queued' || job.status === 'processing')
    return answerPage(<WaitingPage frame={frame} {...tried} />);
  if (job.status === 'failed') return answerPage(<FailedPage frame={frame} {...tried} />);
  const outcome = await findResult(components, job);
  if (outcome === undefined) return answerPage(<GonePage frame={frame} {...tried} />);
  const { body, durationMs } = outcome;
  const isMarkdown = query[fieldOf('format')] === 'markdown';
  const result = body.length > MAX_PARSED_LENGTH ? undefined : describeResult(entry, body, isMarkdown);
  const pages = listPages(result, request.pageCount ?? job.pageCount ?? 1);
  return answerPage(
    <ResultPage
      frame={frame}
      {...tried}
      result={result}
      durationMs={durationMs}
      view={result?.views.find((view) => view === url.searchParams.get('view')) ?? result?.views[0] ?? 'json'}
      pages={pages}
      page={pages.find((page) => String(page) === url.searchParams.get('page')) ?? pages[0] ?? 1}
      hasPictures={pictures.has(request.requestId)}
    />,
  );
}

/** Lists the pages that were read, all of the document where the result does not say which. */
function listPages(result: ShownResult | undefined, pageCount: number): number[] {
  const read = result?.pages.map(({ page }) => page) ?? [];
  return read.length > 0 ? read : Array.from({ length: pageCount }, (_, index) => index + 1);
}

async function answerPicture(call: PortalCall): Promise<PortalAnswer> {
  const { request } = await requireTry(call);
  const rotation = Number(call.url.searchParams.get('rotation') ?? 0);
  if (!ROTATIONS.includes(rotation)) throw new PortalNotFound();
  const drawn = await call.pictures.draw(request.requestId, Number(call.params.page), rotation);
  if (drawn === undefined) return drawReason('kept for 15 minutes by the process of the call');
  if ('reason' in drawn) return drawReason(drawn.reason);
  return { status: 200, body: drawn.bytes, headers: { 'content-type': 'image/jpeg' } };
}

async function answerResultFile(call: PortalCall): Promise<PortalAnswer> {
  const { entry, request, job } = await requireTry(call);
  const outcome = job.status === 'completed' ? await findResult(call.components, job) : undefined;
  if (outcome === undefined) throw new PortalNotFound();
  call.components.answers.hold(call.exchange, ownScopeOf(call).organisationId, outcome.body);
  return answerDownload(entry, { form: call.params.form ?? '', fileName: request.fileName, body: outcome.body });
}
