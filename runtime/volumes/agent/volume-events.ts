/** Reasons of the events on pods, with their meaning. docs/reference/key-vault-volumes.md lists them. */
export const volumeEvents = {
  VaultObjectsChanged: 'A volume has new versions of its objects; the note names them.',
  VaultRefreshFailed: 'The agent could not update a volume, which keeps its files; the note has the reason.',
  VaultCredentialRenewed:
    'Microsoft Entra ID refused the service principal of the mount, and the agent uses its renewed Secret; the note names it.',
  VaultRestart: 'The agent restarts the workload for new versions; the note names it.',
  VaultRestartRefused: 'The agent cannot do a requested restart; the note names the missing condition.',
} as const;

/** A reason of `volumeEvents`. */
export type VolumeEventReason = keyof typeof volumeEvents;
