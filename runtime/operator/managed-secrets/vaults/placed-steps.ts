import { eventReasons } from '../../../arm-kinds/names.ts';
import type { PlacedStep } from '../secret-situation.ts';
import { copyVersion, disableVersion, reimportVersion } from './secret-steps.ts';
import type { OpenVault, SecretContext } from './vault-places.ts';

/** Performs a step on a vault that is open, other than Generate. Returns the event that tells of it. */
export async function performStep(
  context: SecretContext,
  atHome: OpenVault,
  target: OpenVault,
  { step, target: { place }, part }: PlacedStep,
): Promise<{ readonly reason: string; readonly note: string } | undefined> {
  if (step.do === 'Copy') {
    await copyVersion(context, atHome, target, part, step.version);
  } else if (step.do === 'Reimport') {
    await reimportVersion(context, target, step.version);
    const note = `Imported version ${step.version.number} again as the newest one in ${place.location}`;
    return { reason: eventReasons.secretReimported, note };
  } else if (step.do === 'Disable') {
    await disableVersion(context, target, part, step.version);
    const note = `Disabled version ${step.version.number} in ${place.location}`;
    if (part === 'value') return { reason: eventReasons.secretDisabled, note };
  }
  return undefined;
}
