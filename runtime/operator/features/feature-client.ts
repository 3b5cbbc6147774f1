import { subscriptionPath } from '../../azure/arm/resource-ids.ts';
import type { ArmClient, ArmMethod, Authorizer } from '../../azure/types.ts';
import { isObject } from '../../base/json.ts';
import type { FeatureState, ProviderState } from '../../compute/features/features.ts';
import { tryFeatureState } from '../../compute/features/features.ts';

const featuresVersion = '2021-07-01';
const providersVersion = '2021-04-01';

/** A feature of one subscription. */
export interface FeatureKey {
  /** Lower case. */
  readonly subscription: string;
  /** Namespace and name: Microsoft.Compute/EncryptionAtHost. */
  readonly feature: string;
}

/** The run that a request belongs to. */
export interface FeatureContext {
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

/**
 * The requests that a FeatureRegistration needs. Source: Microsoft.Features 2021-07-01.
 * Refusals throw ArmError; 404 means that the feature does not exist or has become generally available.
 */
export class FeatureClient {
  readonly #arm: ArmClient;
  readonly #authorizer: Authorizer;

  constructor(arm: ArmClient, authorizer: Authorizer) {
    this.#arm = arm;
    this.#authorizer = authorizer;
  }

  /** The feature's state; `NotSpecified` for a state that Azure has added since. */
  state(key: FeatureKey, context: FeatureContext): Promise<FeatureState> {
    return this.#feature('GET', key, '', context);
  }

  /** Asks Azure to register the feature. Returns the state right after. */
  register(key: FeatureKey, context: FeatureContext): Promise<FeatureState> {
    return this.#feature('POST', key, '/register', context);
  }

  /** Registers the provider again, which brings the feature into effect. */
  async registerProvider(key: FeatureKey, context: FeatureContext): Promise<void> {
    await this.#send('POST', `${providerPath(key)}/register`, providersVersion, context);
  }

  /** Where the provider of the feature can be used. */
  async provider(key: FeatureKey, context: FeatureContext): Promise<ProviderState> {
    const body = await this.#send('GET', providerPath(key), providersVersion, context);
    const { registrationState, resourceTypes } = isObject(body) ? body : {};
    const types = Array.isArray(resourceTypes) ? resourceTypes : [];
    const readyLocations = types.flatMap((type) =>
      isObject(type) && Array.isArray(type['locations']) ? type['locations'] : [],
    );
    return {
      requested: true,
      registrationState: typeof registrationState === 'string' ? registrationState : 'Registering',
      readyLocations: [...new Set(readyLocations.filter((location) => typeof location === 'string'))],
    };
  }

  async #feature(method: ArmMethod, key: FeatureKey, action: string, context: FeatureContext): Promise<FeatureState> {
    const [namespace, name] = key.feature.split('/');
    const path = `${subscriptionPath(key.subscription)}/providers/Microsoft.Features/providers/${namespace}/features/${name}`;
    const body = await this.#send(method, `${path}${action}`, featuresVersion, context);
    const { properties } = isObject(body) ? body : {};
    const state = isObject(properties) ? properties['state'] : undefined;
    return (typeof state === 'string' && tryFeatureState(state)) || 'NotSpecified';
  }

  async #send(method: ArmMethod, path: string, apiVersion: string, context: FeatureContext): Promise<unknown> {
    return (await this.#arm.send({ method, path, apiVersion, authorizer: this.#authorizer, ...context })).body;
  }
}

function providerPath({ subscription, feature }: FeatureKey): string {
  return `${subscriptionPath(subscription)}/providers/${feature.split('/')[0]}`;
}
