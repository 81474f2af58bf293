import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENTER_PATH, FORM_TOKEN_FIELD, PORTAL_PATH } from '../../contract/portal.js';
import { actingAs } from '../../store/audit.js';
import { readChangeMarks } from '../../store/change-marks.js';
import { findOrganisation } from '../../store/organisations.js';
import { DatabaseUnavailableError } from '../../store/postgres/failure.js';
import { noteAnswer } from '../http/call-record.js';
import { noteFault } from '../http/note-fault.js';
import { sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import type { ServiceComponents } from '../service-components.js';
import { answerRedirect, type PortalAnswer, PortalNotFound } from './answers.js';
import { loadAssets } from './assets.js';
import type { Frame } from './components/frame.js';
import { HOME_PATH } from './components/navigation.js';
import { checkHost } from './doors/check-host.js';
import { readSessionCookie, readSignInCookie, renderSessionCookie } from './doors/cookies.js';
import { formTokenOf, isFormToken } from './doors/form-tokens.js';
import { readForm } from './doors/read-form.js';
import { ForgedFormError } from './doors/receive-form.js';
import { isSameOrigin } from './doors/same-origin.js';
import { SECURITY_HEADERS } from './doors/security-headers.js';
import { isStaff, type PortalSession, readSession, renewOutdated } from './doors/sessions.js';
import { createSignIn } from './doors/sign-in.js';
import { CALLBACK_PATH, SIGN_IN_PATH } from './doors/sign-in-paths.js';
import { renderMarks } from './live/marks.js';
import { LIVE_PATH } from './live/path.js';
import { FRAGMENT_HEADER, NO_STREAM } from './live/route.js';
import { createLiveStreams } from './live/streams.js';
import { type Match, matchRoute } from './match-route.js';
import { createDoor } from './pages/enter/door.js';
import { createSignInDoor } from './pages/enter/sign-in-door.js';
import { answerRefusal, type Refusal } from './pages/refusals.js';
import { createKeptPictures } from './pictures/kept-pictures.js';
import type { PortalCall } from './portal-call.js';
import { ROUTES } from './routes.js';

export interface Portal {
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Closes the streams of open pages. */
  close(): void;
}

/** Creates what answers the calls of the portal: doors first, then the page. */
export function createPortal(components: ServiceComponents): Portal {
  const { config, store, log, changes } = components;
  const assets = loadAssets();
  const streams = createLiveStreams(components);
  const pictures = createKeptPictures(components);
  const isSecure = config.publicUrl?.startsWith('https:') === true;
  const signIn = createSignIn({ config, box: components.box, log, now: store.clock.now });
  const door = createDoor({ config, store, signIn }, assets);
  const signInDoor =
    signIn &&
    createSignInDoor({ store, signIn, isSecure, pathOf: assets.pathOf, take: (request) => door.take(request) });
  const refuse = (refusal: Refusal, frame?: Frame): PortalAnswer => answerRefusal(refusal, assets, frame);
  let wasHiddenNoted = false;

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<PortalAnswer> {
    const reach = checkHost(request, config.publicUrl);
    if (reach === 'hidden') return hide(request);
    if (reach === 'misdirected') return refuse('misdirected');
    const url = new URL(request.url, 'http://portal');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method !== 'GET' && method !== 'POST') return { status: 405, body: '', headers: { allow: 'GET, HEAD, POST' } };
    const asset = method === 'GET' ? assets.find(url.pathname) : undefined;
    if (asset !== undefined) return { status: 200, ...asset };
    if (url.pathname === ENTER_PATH)
      return method === 'GET' ? door.show(request, url) : await door.enter(request, reply);
    if (signInDoor !== undefined && method === 'GET') {
      const origin = config.publicUrl ?? `http://${request.headers.host}`;
      if (url.pathname === SIGN_IN_PATH) return await signInDoor.begin(url, origin);
      if (url.pathname === CALLBACK_PATH) return await signInDoor.finish(request, url, origin);
    }
    const path = url.pathname.slice(PORTAL_PATH.length);
    const isFragment = method === 'GET' && request.headers[FRAGMENT_HEADER] !== undefined;
    const cookie = readSessionCookie(request.headers, isSecure);
    const isUse = !isFragment && path !== LIVE_PATH;
    const found = await readSession(store, cookie, config.portalSessionIdleMs, { isUse });
    const session = found?.isOutdated === 1 ? await renewOutdated(store, found) : found;
    // Another call at the same time has got the new id for this browser.
    if (session === undefined && found !== undefined && method === 'GET')
      return answerRedirect(url.pathname + url.search);
    if (session === undefined && path === LIVE_PATH) return NO_STREAM;
    if (session === undefined) return method === 'GET' ? answerRedirect(ENTER_PATH) : refuse('no-session');
    const answered = await answerSession(request, reply, { session, url, path, method, isFragment });
    if (session === found || answered.headers?.['set-cookie'] !== undefined) return answered;
    return {
      ...answered,
      headers: { ...answered.headers, 'set-cookie': renderSessionCookie(session.token, isSecure) },
    };
  }

  /** Answers a call of somebody with a session. */
  async function answerSession(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { session: PortalSession; url: URL; path: string; method: 'GET' | 'POST'; isFragment: boolean },
  ): Promise<PortalAnswer> {
    const { session, url, path, method, isFragment } = given;
    if (path === '' || path === '/') return answerRedirect(PORTAL_PATH + HOME_PATH);
    const found = await frameOf(session, url, path);
    if (found === undefined) return refuse('not-found', bareFrame(session, path));
    const bare: Frame = { ...found, isFragment };
    const match = matchRoute(ROUTES, method, path);
    if (Array.isArray(match))
      return match.length === 0
        ? refuse('not-found', bare)
        : { status: 405, body: '', headers: { allow: match.join(', ') } };
    if (!match.route.roles.includes(session.role)) return refuse('not-allowed', bare);
    const frame = await frameAbout(bare, session, match);
    if (request.method === 'HEAD' && path === LIVE_PATH) return NO_STREAM;
    let form = new URLSearchParams();
    if (method === 'POST') {
      if (!isSameOrigin(request.headers, config.publicUrl)) return refuse('forged', frame);
    }
    if (method === 'POST' && match.route.takesFile !== true) {
      const sent = await readForm(request, reply);
      if (typeof sent === 'string') return refuse(sent, frame);
      if (!isFormToken(session.token, sent.get(FORM_TOKEN_FIELD))) return refuse('forged', frame);
      form = sent;
    }
    const { live: subjects } = match.route;
    const { id: organisationId } = frame.organisation ?? {};
    const call: PortalCall = {
      components,
      streams,
      lastEventId: request.headers['last-event-id']?.toString(),
      requestId: request.id,
      exchange: { request, reply },
      pictures,
      isSecure,
      url,
      host: request.headers.host ?? '',
      params: match.params,
      session,
      signIn,
      signInCookie: readSignInCookie(request.headers, isSecure),
      organisationId,
      store: actingAs(store, { who: session.name, role: session.role }),
      form,
      frame,
    };
    try {
      if (subjects !== undefined && organisationId !== undefined && !isFragment)
        // Before anything of the page is read, so that no change between the two is missed.
        frame.live = { subjects, seen: renderMarks(await store.read(readChangeMarks(organisationId))) };
      const answer = await match.route.answer(call);
      if (method === 'POST' && organisationId !== undefined) changes.note(organisationId);
      return answer;
    } catch (error) {
      if (error instanceof PortalNotFound) return refuse('not-found', frame);
      if (error instanceof ForgedFormError) return refuse('forged', frame);
      if (error instanceof DatabaseUnavailableError) return refuse('away', frame);
      noteFault(log, request.id, error);
      return refuse('failed', frame);
    }
  }

  /** There is no portal on plain http for other machines, and behind a proxy that nobody has named. */
  function hide(request: FastifyRequest): never {
    if (!wasHiddenNoted)
      log.warn(
        'calls to /portal are answered 404: set publicUrl (OCR_SERVE_PUBLIC_URL) to open it beyond this machine',
      );
    wasHiddenNoted = true;
    throw new ServiceError(
      'NOT_FOUND',
      `There is nothing at ${JSON.stringify(request.url.split('?', 1)[0]?.slice(0, 100))}`,
    );
  }

  /** Returns the frame of a page; undefined for an organisation in the address that is not this person's to see. */
  async function frameOf(session: PortalSession, url: URL, path: string): Promise<Frame | undefined> {
    const chosen = url.searchParams.get('organisation') ?? undefined;
    const frame = bareFrame(session, path);
    if (chosen === undefined || chosen === '') return frame;
    if (!isStaff(session)) return chosen === session.organisationId ? frame : undefined;
    return await choose(frame, chosen);
  }

  /** Returns the frame about the organisation of what the address names, for those who see all and have chosen none. */
  async function frameAbout(frame: Frame, session: PortalSession, { route, params }: Match): Promise<Frame> {
    if (!isStaff(session) || frame.organisation !== undefined) return frame;
    const owner = await route.organisationOf?.(components, params);
    return (owner === undefined ? undefined : await choose(frame, owner)) ?? frame;
  }

  /** Returns the frame about an organisation; undefined for an unknown one. */
  async function choose(frame: Frame, organisationId: string): Promise<Frame | undefined> {
    const found = await findOrganisation(store, organisationId);
    return found && { ...frame, organisation: { id: found.id, name: found.name }, isChosen: true };
  }

  function bareFrame(session: PortalSession, path: string): Frame {
    const { role, name, organisationId, organisationName, token } = session;
    return {
      role,
      name,
      organisation: organisationId === null ? undefined : { id: organisationId, name: organisationName ?? '' },
      isChosen: false,
      formToken: formTokenOf(token),
      path,
      pathOfAsset: assets.pathOf,
    };
  }

  return {
    async answer(request, reply) {
      const { status, body, ...given } = await answer(request, reply).catch((error: unknown) => {
        // Sessions are in the database too, so that there may be no frame to show.
        if (error instanceof DatabaseUnavailableError) return refuse('away');
        throw error;
      });
      const headers = { ...SECURITY_HEADERS, ...given.headers };
      if (typeof body === 'string') return sendAnswer(request, reply, { status, body, headers, requestId: request.id });
      noteAnswer(request, { status });
      return reply
        .code(status)
        .headers(headers)
        .send(Buffer.isBuffer(body) || body instanceof Readable ? body : Readable.from(body));
    },
    close: streams.close,
  };
}
