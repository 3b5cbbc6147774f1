/**
 * Feature gates: the states of Microsoft.Features as a table, the next step for one registration, and which refusals of
 * Azure mean a gate. Two approvals exist and are never mixed: the consent of an owner here, before anything is sent, and
 * Azure's own approval, which is the state Pending.
 */
import { featureStates } from '../../api/machines/features.ts';

/** A state of a feature in a subscription, exactly as Azure writes it. */
export type FeatureState = (typeof featureStates)[number];

/** The next action of the controller. */
export type FeatureAction =
  | 'None'
  /** POST …/features/{f}/register */
  | 'RegisterFeature'
  /** POST …/providers/{ns}/register, once for each time that the feature became Registered. */
  | 'RegisterProvider'
  /** GET of the feature, after `pollAfterMs`. */
  | 'PollFeature'
  /** GET of the provider, after `pollAfterMs`. */
  | 'PollProvider';

const second = 1000;
const minute = 60_000;

/** For each state: the action with consent, the wait, and the longest time between two reads in milliseconds. */
const table: Readonly<Record<FeatureState, { action: FeatureAction; waitsFor: FeatureWait; pollMaxMs?: number }>> = {
  NotSpecified: { action: 'RegisterFeature', waitsFor: 'Nobody' },
  NotRegistered: { action: 'RegisterFeature', waitsFor: 'Nobody' },
  Unregistered: { action: 'RegisterFeature', waitsFor: 'Nobody' },
  Pending: { action: 'PollFeature', waitsFor: 'AzureApproval', pollMaxMs: 30 * minute },
  Registering: { action: 'PollFeature', waitsFor: 'Azure', pollMaxMs: 5 * minute },
  Unregistering: { action: 'PollFeature', waitsFor: 'Azure', pollMaxMs: 5 * minute },
  Registered: { action: 'RegisterProvider', waitsFor: 'Nobody' },
};

/**
 * The wait of a feature: `OwnerConsent` for a FeatureApproval in the cluster; `AzureApproval` for the service team,
 * which nobody here can hurry; `Azure` for a step that ends by itself.
 */
export type FeatureWait = 'Nobody' | 'OwnerConsent' | 'AzureApproval' | 'Azure';

/** The state of a resource provider in a subscription. */
export interface ProviderState {
  /** Whether its registration was asked for after the feature became Registered. */
  readonly requested: boolean;
  /** Registered, Registering, NotRegistered, Unregistering. */
  readonly registrationState: string;
  /** Locations that can be used, in any spelling: `West Europe`, `westeurope`. */
  readonly readyLocations: readonly string[];
}

/** All that the next step depends on. */
export interface FeatureSituation {
  /** Azure's state; undefined before the first read, which needs consent too. */
  readonly state: FeatureState | undefined;
  /** Whether a FeatureApproval of the owner is valid now. */
  readonly consent: boolean;
  readonly provider?: ProviderState;
  /** Locations of the dependants. @default none: the whole provider is waited for */
  readonly locations?: readonly string[];
  /** Reads since the state changed; the time between them grows. @default 0 */
  readonly polls?: number;
}

/** The next step of a registration. */
export interface FeatureStep {
  readonly action: FeatureAction;
  readonly waitsFor: FeatureWait;
  /** Dependants are blocked, never failed, while a gate is closed; they go on by themselves. */
  readonly dependants: 'Blocked' | 'Released';
  readonly pollAfterMs?: number;
}

/**
 * The next step. Without consent nothing is sent to Azure, not even a read. A consent that is withdrawn blocks new use and
 * leaves the registration in Azure as it is: others in the subscription may use it.
 */
export function nextFeatureStep(situation: FeatureSituation): FeatureStep {
  const { state, consent, polls = 0 } = situation;
  if (!consent) return { action: 'None', waitsFor: 'OwnerConsent', dependants: 'Blocked' };
  if (state === undefined) return { action: 'PollFeature', waitsFor: 'Nobody', dependants: 'Blocked', pollAfterMs: 0 };
  const { action, waitsFor, pollMaxMs } = table[state];
  if (state === 'Registered') return afterRegistration(situation, polls);
  const poll = pollMaxMs === undefined ? {} : { pollAfterMs: pollDelay(polls, pollMaxMs) };
  return { action, waitsFor, dependants: 'Blocked', ...poll };
}

function afterRegistration({ provider, locations = [] }: FeatureSituation, polls: number): FeatureStep {
  if (!provider?.requested) return { action: 'RegisterProvider', waitsFor: 'Nobody', dependants: 'Blocked' };
  const ready = new Set(provider.readyLocations.map(locationKey));
  const released =
    provider.registrationState.toLowerCase() === 'registered' ||
    (locations.length > 0 && locations.every((location) => ready.has(locationKey(location))));
  if (released) return { action: 'None', waitsFor: 'Nobody', dependants: 'Released' };
  const pollAfterMs = pollDelay(polls, 5 * minute);
  return { action: 'PollProvider', waitsFor: 'Azure', dependants: 'Blocked', pollAfterMs };
}

function pollDelay(polls: number, most: number): number {
  return Math.min(most, 30 * second * 2 ** Math.min(polls, 16));
}

/** One spelling of a location: `West Europe` and `westeurope` are one. */
export function locationKey(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}

/** The state that a text of Azure is, ignoring case; undefined for a state that is not known. */
export function tryFeatureState(text: string): FeatureState | undefined {
  return featureStates.find((state) => state.toLowerCase() === text.toLowerCase());
}
