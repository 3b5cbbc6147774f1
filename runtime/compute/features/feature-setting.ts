import { isFeatureName, managedSecretsFeature } from '../../api/machines/features.ts';
import { expected } from '../../base/errors.ts';
import { named, type Setting, type Text } from '../../base/settings.ts';

/** A feature as namespace/name. Throws AZ_CONFIG_INVALID for another text. */
export function featureSetting(setting: Setting, text: Text): string {
  const value = text(setting);
  if (isFeatureName(value)) return value;
  throw expected(named(setting), `a feature as namespace/name, such as ${managedSecretsFeature}`, value);
}
