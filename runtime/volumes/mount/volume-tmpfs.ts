/** A tmpfs of the driver's own. kubelet takes any mount at a volume's directory for a finished volume, so it is filled first. */
export interface VolumeTmpfs {
  /** A directory for the files. Nobody but root reaches it. */
  readonly path: string;
  /** Mounts it at the volume's directory. False, with nothing mounted, where the system denies the call that this takes. */
  attach(directory: string): boolean;
  /** Closes it; what was attached stays mounted. Does nothing the second time. */
  close(): void;
}

/**
 * Files and links that a volume may have. A volume of 500 objects takes about 1,500 while new versions replace it. The rest is for a
 * pod that writes into its volume: the agent lists that directory, so it must not hold more.
 */
export const mostInodes = 4096;
