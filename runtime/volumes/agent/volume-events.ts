/** Reasons of the events that pods get, and when. docs/reference/key-vault-volumes.md lists these. */
export const volumeEvents = {
  VaultObjectsChanged: 'A volume has new versions of its objects; the note names them.',
  VaultRefreshFailed: 'A volume could not be brought up to date and keeps what it has; the note has the reason.',
  VaultCredentialRenewed:
    'AAD refused the service principal of the mount, and its renewed Secret is used; the note names it.',
  VaultRestart: 'The workload is restarted for that; the note names it.',
  VaultRestartRefused: 'A restart is asked for and cannot be done; the note says what is missing.',
} as const;

export type VolumeEventReason = keyof typeof volumeEvents;
