import type { Configuration } from 'openid-client';
import type { Account } from '../../../store/member-identities.js';
import type { ServiceConfig } from '../../config/service-config.js';
import type { Log } from '../../log.js';
import type { SecretBox } from '../../secrets/secret-box.js';

/** Time for the way to the provider and back, and after it for a code to be typed. */
export const SIGN_IN_TTL_MS = 600_000;
/** Time limit of one call to the provider. */
const CALL_TIMEOUT_S = 10;
const MAX_LABEL_LENGTH = 200;

/** Use of a sign-in: to enter, or to connect the account with the member who has a session. */
type Purpose = 'enter' | 'connect';

/** Failures of a sign-in that people can do something about. */
export type SignInFailure = 'unreachable' | 'refused' | 'stale' | 'unusable';

export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly failure: SignInFailure;

  constructor(failure: SignInFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** A sign-in provider (OpenID Connect), by the code flow with PKCE, state and nonce. */
export interface SignIn {
  /** Name of the provider for people. */
  name: string;
  /** Returns the provider's address for this sign-in, and what only the same browser may bring back. @throws SignInError */
  begin(redirectUri: string, purpose: Purpose): Promise<{ url: string; sealed: string }>;
  /** Returns the account that the provider names in its answer. @throws SignInError */
  finish(redirectUri: string, answer: URLSearchParams, sealed: string): Promise<{ account: Account; purpose: Purpose }>;
  /** Seals an account until a person has said what it is for. */
  keep(account: Account): string;
  /** Opens a kept account; undefined after its time, and for what this service has not sealed. */
  take(sealed: string | undefined): Account | undefined;
}

interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  purpose: Purpose;
}

interface SignInComponents {
  config: Pick<ServiceConfig, 'portalOidcIssuer' | 'portalOidcClientId' | 'portalOidcClientSecret' | 'portalOidcName'>;
  box: SecretBox;
  log: Log;
  now(): number;
}

/** Creates the way to the provider of the settings; undefined where there is none. Its package is imported at the first use. */
export function createSignIn({ config, box, log, now }: SignInComponents): SignIn | undefined {
  const { portalOidcIssuer: issuer, portalOidcClientId: clientId, portalOidcClientSecret: secret } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  let known: Promise<Configuration> | undefined;

  /** Reads what the provider says of itself, once; again after a failure. */
  async function discover(): Promise<Configuration> {
    known ??= readProvider(issuer as string, clientId as string, secret);
    try {
      return await known;
    } catch (error) {
      known = undefined;
      log.warn({ issuer, reason: reasonOf(error) }, 'the sign-in provider could not be read (portalOidcIssuer)');
      throw new SignInError('unreachable', 'The provider could not be read', error);
    }
  }

  const seal = (use: 'state' | 'account', value: object) =>
    box.seal(JSON.stringify({ ...value, untilMs: now() + SIGN_IN_TTL_MS }), { use: 'portal sign-in', id: use });
  const open = <T>(use: 'state' | 'account', sealed: string | undefined): T | undefined => {
    if (sealed === undefined) return undefined;
    try {
      const value = JSON.parse(box.open(sealed, { use: 'portal sign-in', id: use })) as T & { untilMs: number };
      return value.untilMs > now() ? value : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    name: config.portalOidcName ?? new URL(issuer).host,
    async begin(redirectUri, purpose) {
      const provider = await discover();
      const client = await import('openid-client');
      const begun: Begun = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        purpose,
      };
      const { state, nonce } = begun;
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url: url.href, sealed: seal('state', begun) };
    },
    async finish(redirectUri, answer, sealed) {
      const begun = open<Begun>('state', sealed);
      if (begun === undefined || answer.get('state') !== begun.state)
        throw new SignInError('stale', 'The sign-in began elsewhere, or too long ago');
      const refusal = answer.get('error');
      if (refusal !== null) throw new SignInError('refused', refusal);
      const provider = await discover();
      const client = await import('openid-client');
      try {
        const tokens = await client.authorizationCodeGrant(provider, new URL(`${redirectUri}?${answer}`), {
          pkceCodeVerifier: begun.verifier,
          expectedState: begun.state,
          expectedNonce: begun.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims() ?? {};
        return { account: toAccount(claims), purpose: begun.purpose };
      } catch (error) {
        log.warn({ issuer, reason: reasonOf(error) }, 'an answer of the sign-in provider could not be used');
        throw new SignInError('unusable', 'The answer of the provider could not be used', error);
      }
    },
    keep: (account) => seal('account', account),
    take(sealed) {
      const account = open<Account>('account', sealed);
      return account && { issuer: account.issuer, subject: account.subject, label: account.label };
    },
  };
}

async function readProvider(issuer: string, clientId: string, secret: string | undefined): Promise<Configuration> {
  const client = await import('openid-client');
  const isPlain = issuer.startsWith('http:');
  return await client.discovery(
    new URL(issuer),
    clientId,
    secret,
    // A client without a secret proves itself by PKCE alone.
    secret === undefined ? client.None() : undefined,
    {
      // The settings let plain http through for this machine alone. Signatures of tokens are checked, also those that come by TLS.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      timeout: CALL_TIMEOUT_S,
    },
  );
}

function toAccount(claims: Record<string, unknown>): Account {
  const { iss, sub } = claims;
  const label = [claims.email, claims.preferred_username, claims.name, sub].find(
    (claim): claim is string => typeof claim === 'string' && claim !== '',
  );
  return { issuer: String(iss), subject: String(sub), label: (label ?? '').slice(0, MAX_LABEL_LENGTH) };
}

/** Describes an error with its code and cause, for the journal; none holds a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, error: answered, error_description: described } = error as Error & Record<string, unknown>;
  const parts = [error.message, code, answered, described].filter((part) => typeof part === 'string' && part !== '');
  return error.cause instanceof Error ? `${parts.join(', ')}: ${error.cause.message}` : parts.join(', ');
}
