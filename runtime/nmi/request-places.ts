import { FairSemaphore } from '../base/fairness/fair-semaphore.ts';

/** Connections of the daemon to one origin. */
export const mostConnections = 32;
/** Requests of one namespace at a time, half of the connections. */
const perNamespace = 16;

/**
 * Places for the requests of a namespace at each service that takes its time to answer. Without them the requests of one
 * namespace would wait for connections before those of all others. No total: the services of Entra have connections of
 * their own, and one that does not answer must not stop the others.
 */
export class RequestPlaces {
  readonly entra = places();
  /** For tokens of the metadata endpoint; its retries wait without a place. */
  readonly imds = places();
  /** For what pods send to the metadata endpoint by way of the daemon. */
  readonly forwarded = places();
}

function places(): FairSemaphore {
  return new FairSemaphore({ total: Number.POSITIVE_INFINITY, perKey: perNamespace });
}
