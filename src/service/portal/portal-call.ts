import type { Subject } from '../../store/change-marks.js';
import type { PortalRole } from '../../store/portal-sessions.js';
import type { Store } from '../../store/store.js';
import type { Exchange } from '../http/answer-budget.js';
import type { ServiceComponents } from '../service-components.js';
import { type PortalAnswer, PortalNotFound } from './answers.js';
import type { Frame } from './components/frame.js';
import type { PortalSession } from './doors/sessions.js';
import type { SignIn } from './doors/sign-in.js';
import type { LiveStreams } from './live/streams.js';
import type { KeptPictures } from './pictures/kept-pictures.js';
import type { OwnScope, Scope } from './scoped/scope.js';

/** A call of somebody with a session, who may make it. */
export interface PortalCall {
  components: ServiceComponents;
  requestId: string;
  exchange: Exchange;
  /** Pictures of the documents that were tried. */
  pictures: KeptPictures;
  /** True when the cookie of the session goes over https alone. */
  isSecure: boolean;
  url: URL;
  /** The header Host, which the door has checked. */
  host: string;
  /** Parts of the path by their names. */
  params: Readonly<Record<string, string>>;
  session: PortalSession;
  /** The sign-in provider of the service, if it has one. */
  signIn: SignIn | undefined;
  /** The sealed text that the browser carries between the steps of a sign-in. */
  signInCookie: string | undefined;
  /** The organisation that the call is about; undefined: all, for support and operators. */
  organisationId: string | undefined;
  /** The store, whose changes are those of this person. */
  store: Store;
  /** The fields of a POST; none of a form with a file, which its route receives. */
  form: URLSearchParams;
  streams: LiveStreams;
  /** The header Last-Event-ID. */
  lastEventId: string | undefined;
  /** Everything that the frame around each page shows. */
  frame: Frame;
}

/** A path of the portal, below /portal. `:name` in it is one part of the path. */
export interface PortalRoute {
  method: 'GET' | 'POST';
  path: string;
  roles: readonly PortalRole[];
  /** True for a form with a file: its route takes it by `receiveForm`, which checks the form's token. */
  takesFile?: boolean;
  /** Subjects that the page shows: it follows their changes. */
  live?: readonly Subject[];
  /**
   * Finds whose thing the address names; undefined for nobody's. Support and operators who have chosen no organisation then get
   * the page as if they had chosen that one.
   */
  organisationOf?(components: ServiceComponents, params: PortalCall['params']): Promise<string | undefined>;
  answer(call: PortalCall): Promise<PortalAnswer>;
}

/** Returns what the person sees of the store. */
export function scopeOf({ store, organisationId, session }: PortalCall): Scope {
  return { store, organisationId, seesFiles: session.role !== 'support' };
}

/** Returns the origin of the service as the browser knows it. */
export function originOf({ components, host }: PortalCall): string {
  return components.config.publicUrl ?? `http://${host}`;
}

/** Returns what the person sees and may change of one organisation. @throws PortalNotFound where none is chosen */
export function ownScopeOf(call: PortalCall): OwnScope {
  const { organisationId } = call;
  if (organisationId === undefined) throw new PortalNotFound();
  return { ...scopeOf(call), organisationId };
}
