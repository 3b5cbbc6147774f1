/** Which refusals of Azure mean a feature gate. Providers agree on no code, so texts are read too. */

/** A refusal of Azure, from the error of its body. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Target of the first detail, which names the provider in some refusals. */
  readonly target?: string;
}

/**
 * `FeatureGate`: a feature is not registered. `ProviderNotRegistered`: the provider is not, or not in the location.
 * `GateOrApiVersion`: a gated type or version, or one that does not exist; Azure answers both alike.
 */
export type RefusalClass = 'FeatureGate' | 'ProviderNotRegistered' | 'GateOrApiVersion';

/** The class of a refusal, and the feature that it names. */
export interface GateRefusal {
  readonly class: RefusalClass;
  /** `Microsoft.Compute/EncryptionAtHost`, or the provider alone: `Microsoft.Compute`. */
  readonly names?: string;
}

const classes: ReadonlyMap<string, RefusalClass> = new Map([
  ['subscriptionnotregisteredforfeature', 'FeatureGate'],
  ['previewfeaturenotregistered', 'FeatureGate'],
  ['featurenotregistered', 'FeatureGate'],
  ['missingsubscriptionregistration', 'ProviderNotRegistered'],
  ['subscriptionnotregistered', 'ProviderNotRegistered'],
  ['missingregistrationforlocation', 'ProviderNotRegistered'],
  ['invalidsubscriptionregistrationstate', 'ProviderNotRegistered'],
  ['noregisteredproviderfound', 'GateOrApiVersion'],
]);

/** Characters of a message that are read. */
const maxMessage = 4096;

/**
 * Whether a refusal is about a gate: by its code, else by a text that names a feature `{namespace}/{feature}` and says that
 * it is not registered or not enabled. Undefined for every other refusal.
 */
export function gateRefusal({ code, message, target }: Refusal): GateRefusal | undefined {
  const text = message.slice(0, maxMessage);
  const feature = featureIn(text);
  const known = classes.get(code.toLowerCase());
  const isGateText = feature !== undefined && /\bnot (?:been )?(?:registered|enabled)\b/i.test(text);
  const found = known ?? (isGateText ? 'FeatureGate' : undefined);
  if (found === undefined) return undefined;
  const names = feature ?? (found === 'ProviderNotRegistered' ? providerIn(text, target) : undefined);
  return { class: found, ...(names !== undefined && { names }) };
}

/** The feature that a text names beside the word: "feature Microsoft.X/Y", "the 'Microsoft.X/Y' feature". */
function featureIn(text: string): string | undefined {
  const after = /\bfeature '?([A-Za-z][\w.]{0,127}\/[A-Za-z][\w.-]{0,127})/i.exec(text)?.[1];
  const before = /'([A-Za-z][\w.]{0,127}\/[A-Za-z][\w.-]{0,127})' feature\b/i.exec(text)?.[1];
  const found = after ?? before;
  return found?.endsWith('.') ? found.slice(0, -1) : found;
}

function providerIn(text: string, target: string | undefined): string | undefined {
  const named = target ?? /namespace '([A-Za-z0-9.]{1,128})'/i.exec(text)?.[1];
  return named !== undefined && /^[A-Za-z0-9]{1,64}(\.[A-Za-z0-9]{1,64}){1,8}$/.test(named) ? named : undefined;
}
