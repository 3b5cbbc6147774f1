import { type Exchange, type Reply, refuse } from '../../exchange.ts';
import type { Json } from '../../json.ts';
import type { StoredFeature, Subscription } from '../../state.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { page } from '../paging.ts';
import { methodNotSupported } from '../write-checks.ts';
import { featureState, findFeature, type KnownFeature, setFeature, storedFeature } from './feature-state.ts';

const registrationsType = 'subscriptionFeatureRegistrations';

/** Microsoft.Features in both of its forms; undefined for any other path. */
export function featureDocuments(exchange: Exchange, context: BehaviourContext, objectId: string): Reply | undefined {
  const path = `/${exchange.segments.join('/')}`;
  const under = /^\/subscriptions\/([^/]+)\/providers\/Microsoft\.Features\/(.+)$/i.exec(path);
  if (!under) return undefined;
  const [, id = '', rest = ''] = under;
  const subscription = context.state.subscriptions[id.toLowerCase()] as Subscription;
  const features = new Features(exchange, context, subscription, objectId);
  const [, namespace, name, action] =
    /^(?:providers\/([^/]+)\/)?features(?:\/([^/]+)(?:\/(register|unregister))?)?$/i.exec(rest) ?? [];
  if (/^(providers\/[^/]+\/)?features$/i.test(rest)) return features.list(namespace, false);
  if (namespace !== undefined && name !== undefined) return features.plain(namespace, name, action?.toLowerCase());
  const [, provider, registration] =
    new RegExp(`^featureProviders/([^/]+)/${registrationsType}(?:/([^/]+))?$`, 'i').exec(rest) ?? [];
  if (provider !== undefined && registration !== undefined) return features.registration(provider, registration);
  if (provider !== undefined) return features.list(provider, true);
  return rest.toLowerCase() === registrationsType.toLowerCase() ? features.list(undefined, true) : undefined;
}

/** The features of one subscription, for one request. */
class Features {
  readonly #exchange: Exchange;
  readonly #context: BehaviourContext;
  readonly #subscription: Subscription;
  readonly #objectId: string;

  constructor(exchange: Exchange, context: BehaviourContext, subscription: Subscription, objectId: string) {
    this.#exchange = exchange;
    this.#context = context;
    this.#subscription = subscription;
    this.#objectId = objectId;
  }

  list(namespace: string | undefined, registrations: boolean): Reply | undefined {
    if (this.#exchange.method !== 'GET') return undefined;
    const prefix = namespace === undefined ? '' : `${namespace.toLowerCase()}/`;
    const items = Object.entries(this.#context.settings.features)
      .filter(([name]) => name.toLowerCase().startsWith(prefix))
      .map(([name, approval]) => ({ name, approval }));
    const view = (feature: KnownFeature) => (registrations ? this.#registrationView(feature) : this.#view(feature));
    return page(this.#exchange, items.map(view), this.#context.settings.pageSize);
  }

  /** `providers/{namespace}/features/{name}` and its two actions. */
  plain(namespace: string, name: string, action: string | undefined): Reply {
    const feature = this.#find(namespace, name);
    const { method } = this.#exchange;
    if (method === 'POST' && action === 'register') this.#register(feature);
    else if (method === 'POST' && action === 'unregister') this.#leave(feature, 'Unregistering');
    else if (method !== 'GET' || action !== undefined) throw methodNotSupported(method);
    return { status: 200, body: this.#view(feature) };
  }

  /** `featureProviders/{namespace}/subscriptionFeatureRegistrations/{name}`. */
  registration(namespace: string, name: string): Reply {
    const feature = this.#find(namespace, name);
    const { method } = this.#exchange;
    if (method === 'PUT') this.#register(feature);
    else if (method === 'DELETE') this.#leave(feature, 'NotRegistered');
    else if (method !== 'GET') throw methodNotSupported(method);
    return { status: 200, ...(method === 'DELETE' ? {} : { body: this.#registrationView(feature) }) };
  }

  #find(namespace: string, name: string): KnownFeature {
    const feature = findFeature(`${namespace}/${name}`, this.#context.settings);
    if (feature) return feature;
    throw refuse(404, 'FeatureNotFound', `The feature '${name}' could not be found.`);
  }

  #state(feature: KnownFeature) {
    return featureState(storedFeature(this.#subscription, feature.name), this.#context.now, this.#context.settings);
  }

  #set(feature: KnownFeature, state: StoredFeature['state']): void {
    const { now } = this.#context;
    const before = storedFeature(this.#subscription, feature.name);
    const requested = { requestedAt: before?.requestedAt ?? now, requester: before?.requester ?? this.#objectId };
    setFeature(this.#subscription, feature.name, { ...requested, state, since: now });
    this.#exchange.entry.effective = true;
  }

  #register(feature: KnownFeature): void {
    if (['Registered', 'Registering', 'Pending'].includes(this.#state(feature))) return;
    this.#set(feature, feature.approval === 'AutoApproval' ? 'Registering' : 'Pending');
  }

  #leave(feature: KnownFeature, state: 'Unregistering' | 'NotRegistered'): void {
    if (['Registered', 'Registering', 'Pending'].includes(this.#state(feature))) this.#set(feature, state);
  }

  #view(feature: KnownFeature): Json {
    const [namespace, name] = feature.name.split('/');
    return {
      id: `/subscriptions/${this.#subscription.subscriptionId}/providers/Microsoft.Features/providers/${namespace}/features/${name}`,
      name: feature.name,
      type: 'Microsoft.Features/providers/features',
      properties: { state: this.#state(feature) },
    };
  }

  #registrationView(feature: KnownFeature): Json {
    const [providerNamespace, featureName] = feature.name.split('/');
    const { subscriptionId, tenantId } = this.#subscription;
    const stored = storedFeature(this.#subscription, feature.name);
    const state = this.#state(feature);
    const time = (at: number) => new Date(at).toISOString();
    const approved = state === 'Registered' && stored ? { approvedTime: time(stored.since) } : {};
    return {
      id: `/subscriptions/${subscriptionId}/providers/Microsoft.Features/featureProviders/${providerNamespace}/${registrationsType}/${featureName}`,
      name: featureName,
      type: `Microsoft.Features/featureProviders/${registrationsType}`,
      properties: {
        tenantId,
        subscriptionId,
        featureName,
        displayName: featureName,
        providerNamespace,
        state,
        approvalType: feature.approval,
        shouldFeatureDisplayInPortal: false,
        ...(stored && {
          authorizationProfile: {
            requestedTime: time(stored.requestedAt),
            requesterObjectId: stored.requester,
            ...approved,
          },
        }),
      },
    };
  }
}
