/** A service's address, and the credentials to call it with. */
export interface Endpoint {
  /** Origin and optional path prefix, without a trailing slash: `http://127.0.0.1:40771`. */
  baseUrl: string;
  apiKey: string;
  /** The server's id in the ledger. It is stable where the address is not: the service on this machine changes its port. */
  serverId: string;
  /** True for our own service, found by its data directory: it needs no proxy, and it holds a poll until the job ends. */
  isOnThisMachine?: true;
}

/**
 * Finds the service for each command. `after` is the endpoint that just refused a connection: for the service on this
 * machine that means "start it again", for any other the same endpoint comes back.
 */
export type LocateService = (after?: Endpoint) => Promise<Endpoint>;
