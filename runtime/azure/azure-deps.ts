import { type Clock, systemClock } from '../base/clock.ts';
import { createDispatcher, type Dispatcher, type HttpOptions } from '../base/http/client.ts';
import { type CloudDescription, cloudFromEnvironment, type Environment } from './clouds.ts';
import { closeDispatcher } from './http-call.ts';
import { createImds, type Imds, imdsEndpointOf } from './identity/imds.ts';
import type { CloudEnvironment } from './types.ts';

/** The parts that every Azure client of a program shares. */
export interface AzureDeps {
  readonly cloud: CloudEnvironment;
  /** For Microsoft Entra ID, ARM and Key Vault; through the proxy of the environment. */
  readonly dispatcher: Dispatcher;
  readonly imds: Imds;
  readonly clock: Clock;
  close(): Promise<void>;
}

/** Options of the connections to one cloud. */
export interface AzureOptions {
  readonly http?: HttpOptions;
  readonly clock?: Clock;
  /** Of `AzureStackCloud`. @default the file that the environment names */
  readonly cloudDescription?: CloudDescription | undefined;
}

/**
 * Makes the context of a program from its environment (cloudFromEnvironment, imdsEndpointOf). The metadata endpoint is
 * link-local, so it gets connections of its own that never use a proxy and have a short timeout. Throws AZ_CONFIG_INVALID.
 */
export function createAzureDeps(env: Environment, options: AzureOptions = {}): AzureDeps {
  const { clock = systemClock } = options;
  const cloud = cloudFromEnvironment(env, options.cloudDescription);
  const endpoint = imdsEndpointOf(env);
  const dispatcher = createDispatcher(options.http);
  const direct = createDispatcher({
    ...options.http,
    proxy: 'none',
    connections: 4,
    connectTimeoutMs: 2000,
    headersTimeoutMs: 15_000,
  });
  return {
    cloud,
    dispatcher,
    clock,
    imds: createImds({ dispatcher: direct, endpoint, clock }),
    close: async () => {
      await Promise.all([closeDispatcher(dispatcher), closeDispatcher(direct)]);
    },
  };
}
