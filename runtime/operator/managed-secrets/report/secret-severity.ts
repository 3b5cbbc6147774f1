import { reasons, secretReasons } from '../../../arm-kinds/names.ts';

/** Reasons that end only when somebody edits the ManagedSecret, or an object that it names. */
const needEdit: ReadonlySet<string> = new Set([
  'IssuerInvalid',
  'KeySizeInvalid',
  'KeyUnknown',
  'NameTaken',
  'RegionMismatch',
  'RotationNotSupported',
  reasons.scopeNotAllowed,
  secretReasons.pinUnavailable,
  secretReasons.renewalPaused,
]);

/** Severity of a reason for which a ManagedSecret is not Ready. */
export function secretSeverity(reason: string): 'Warning' | 'Error' {
  return needEdit.has(reason) ? 'Error' : 'Warning';
}
