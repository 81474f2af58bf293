import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A provider of OpenID Connect on this machine, by code that is not ours. It checks PKCE, and signs by a key of its own. */
export interface SignInProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The account that signs in next. */
  account: { id: string; email?: string };
  /** Changes the answers of its token endpoint. */
  alter: ((answer: { id_token: string }) => void) | undefined;
  close(): Promise<void>;
}

/** Starts a provider, which sends people back to any portal. */
export async function startSignInProvider(callbackPath: string): Promise<SignInProvider> {
  const server = http.createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: SignInProvider = {
    issuer,
    clientId: 'portal',
    clientSecret: 'a-secret-of-the-tests',
    account: { id: 'nobody' },
    alter: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: started.clientId,
        client_secret: started.clientSecret,
        redirect_uris: [`http://127.0.0.1:1${callbackPath}`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    // The address is in the token itself, as most providers have it.
    conformIdTokenClaims: false,
    claims: { email: ['email'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: started.account.email }) }),
    interactions: { url: (_, { uid }) => `/login/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  // The port of a portal is known after its provider has started.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => new URL(uri).pathname === callbackPath;
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/token' && context.status === 200) started.alter?.(context.body as { id_token: string });
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    // Nobody types here: whoever comes signs in as the account that is set.
    if (request.url?.startsWith('/login/'))
      void provider.interactionFinished(request, response, { login: { accountId: started.account.id } });
    else void answer(request, response);
  });
  return started;
}
