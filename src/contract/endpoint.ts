/** Where a service is and how to speak to it. */
export interface Endpoint {
  /** Origin and optional path prefix, without a trailing slash: `http://127.0.0.1:40771`. */
  baseUrl: string;
  apiKey: string;
  /** What the ledger knows the server by. Stable where the address is not: the service on this machine changes its port. */
  serverId: string;
  /** Our own service, found by its data directory: asked without a proxy, and known to hold a poll until the job ends. */
  isOnThisMachine?: true;
}

/**
 * Finds the service for each command. `after` is the endpoint that just refused a connection: for the service on this
 * machine that means "start it again", for any other the same endpoint comes back.
 */
export type LocateService = (after?: Endpoint) => Promise<Endpoint>;
