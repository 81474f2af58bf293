import { SERVICE_ERRORS } from '../../../../contract/error-codes.js';
import type { OcrFunction } from '../../../../functions/function.js';
import { findPortalAccess } from '../../../../store/access.js';
import { audit } from '../../../../store/audit.js';
import { callOf, noteAnswer } from '../../../http/call-record.js';
import { noteFault } from '../../../http/note-fault.js';
import type { Upload } from '../../../http/receive-upload.js';
import { type Answer, answerError } from '../../../http/send-answer.js';
import { acceptUpload, type Call } from '../../../intake/accept-document.js';
import { admitCaller, type CallerAdmission, refuseWhileStopping } from '../../../intake/admission.js';
import { answerIntake } from '../../../intake/answer-intake.js';
import { PortalNotFound } from '../../answers.js';
import type { FieldError } from '../../components/fields.js';
import { NONCE_FIELD, readNonce } from '../../doors/form-nonces.js';
import { ForgedFormError, receiveForm } from '../../doors/receive-form.js';
import { ownScopeOf, type PortalCall } from '../../portal-call.js';
import { explainCall, FILE_FIELD, type Refusal, type RefusedCall } from './explain-refusal.js';
import { type ReadArguments, readArguments } from './read-arguments.js';

/** Time that a page takes at most before it is one that waits. */
const MAX_WAIT_MS = 2_500;

/** A form that ran, or why it did not. */
export type TryOutcome =
  | { kind: 'called'; requestId: string; args: Record<string, unknown> }
  | {
      kind: 'refused';
      status: number;
      typed: URLSearchParams;
      errors: readonly FieldError[];
      refusal?: Refusal | undefined;
      /** The call that was refused, as the request log has it; undefined for a form that is no call yet. */
      refused?: RefusedCall | undefined;
      headers: Record<string, string>;
    };

/** Thrown for a form that is no call yet: an argument is refused, or the file is missing. */
class RefusedFormError extends Error {
  override readonly name = 'RefusedFormError';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super('the form is refused');
    this.errors = errors;
  }
}

/** Facts of a form that are known by the time its file comes. */
interface Admitted {
  nonceId: string;
  admission: CallerAdmission;
  args: Record<string, unknown>;
}

/**
 * Runs a function on the file of a form: the intake of the service, with its checks and its counting, for somebody with a session
 * in place of a key. @throws ForgedFormError, PortalNotFound
 */
export async function runTry(call: PortalCall, target: OcrFunction): Promise<TryOutcome> {
  const { components, exchange } = call;
  const record = callOf(exchange.request);
  let read: ReadArguments = { args: {}, typed: new URLSearchParams(), errors: [] };
  let admitted: Admitted | undefined;
  let isOurs = false;
  try {
    const upload = await receiveForm(components, exchange, call.session.token, async (form, fileName) => {
      isOurs = true;
      read = readArguments(target, form);
      admitted = await admitForm(call, target, form, { ...read, fileName });
    });
    if (admitted === undefined) throw new ForgedFormError();
    const requestId = await acceptTry(call, admitted, upload);
    return { kind: 'called', requestId, args: read.args };
  } catch (error) {
    if (error instanceof ForgedFormError || error instanceof PortalNotFound) throw error;
    const { typed } = read;
    if (!isOurs) throw new ForgedFormError();
    if (error instanceof RefusedFormError)
      return { kind: 'refused', status: 422, typed, errors: error.errors, headers: {} };
    noteFault(components.log, call.requestId, error);
    const answer = answerError(error, call.requestId);
    const isCall = record.functionId !== '';
    if (isCall) noteAnswer(exchange.request, answer);
    const { errorCode = 'INTERNAL', errorMessage = '' } = answer;
    const { status } = SERVICE_ERRORS[errorCode];
    const refused = isCall ? { requestId: call.requestId, code: errorCode, status } : undefined;
    const why = explainCall(errorCode, errorMessage);
    return { kind: 'refused', status, typed, ...why, refused, headers: answer.headers ?? {} };
  }
}

/** Checks the fields, then the caller as a call of the API is checked before its body. From then on it is a call. */
async function admitForm(
  call: PortalCall,
  target: OcrFunction,
  form: URLSearchParams,
  { args, errors, fileName }: ReadArguments & { fileName: string | undefined },
): Promise<Admitted> {
  const { components, session, exchange } = call;
  const { organisationId } = ownScopeOf(call);
  const nonceId = readNonce({ token: session.token, organisationId, prefix: 'req' }, form.get(NONCE_FIELD));
  const faults = [...errors, ...(fileName ? [] : [{ field: FILE_FIELD, message: 'Choose a document' }])];
  if (nonceId === undefined) throw new ForgedFormError();
  if (faults.length > 0) throw new RefusedFormError(faults);
  const access = await findPortalAccess(components.store, organisationId);
  if (access === undefined) throw new PortalNotFound();
  const record = callOf(exchange.request);
  record.functionId = target.id;
  record.caller = access;
  refuseWhileStopping(components);
  return { nonceId, admission: await admitCaller(components, access, target.id), args };
}

/** Accepts the document and waits a little for the result. Returns the id of the call that the page is about. */
async function acceptTry(call: PortalCall, { nonceId, admission, args }: Admitted, upload: Upload): Promise<string> {
  const { components, exchange, store, requestId, pictures } = call;
  const record = callOf(exchange.request);
  const { organisationId } = admission.caller;
  const detail = { function: record.functionId };
  const intakeCall: Call = {
    ...admission,
    requestId,
    startedAtMs: record.startedAtMs,
    idempotencyKey: undefined,
    formUse: nonceId,
    wantsAsync: false,
    maxWaitMs: MAX_WAIT_MS,
    alsoWrite: () => audit(store, { action: 'function.try', organisationId, subjectId: requestId, detail }),
    onReceived: (facts) => {
      record.facts = facts;
    },
  };
  const bytes = await pictures.read(upload);
  const intake = await acceptUpload(components, intakeCall, { ...upload, argsText: JSON.stringify(args) });
  const answer = await answerIntake(components, exchange, intakeCall, intake).catch((error: unknown): Answer => {
    noteFault(components.log, requestId, error);
    return answerError(error, requestId);
  });
  // A form that was sent before is no further call.
  if (answer.requestId !== requestId) record.functionId = '';
  noteAnswer(exchange.request, answer);
  const { mimeType } = intake.facts;
  const password = typeof args.password === 'string' ? args.password : undefined;
  if (bytes !== undefined && mimeType !== undefined)
    pictures.keep(answer.requestId, { organisationId, mimeType, password, bytes });
  return answer.requestId;
}
