/**
 * A tmpfs that the driver fills before it attaches it, because kubelet takes any mount at a volume's directory for a
 * finished volume.
 */
export interface VolumeTmpfs {
  /** Root directory of the tmpfs, which only root can reach. */
  readonly path: string;
  /** Mounts it at the volume's directory. False, with nothing mounted, where the system denies the call. */
  attach(directory: string): boolean;
  /** Closes the tmpfs; an attached mount stays. A second call does nothing. */
  close(): void;
}

/**
 * Most inodes of a volume. A volume of 500 objects takes about 1,500 while new versions replace it; the rest is for a
 * pod that writes into its volume. The agent lists that directory, so it needs a limit.
 */
export const mostInodes = 4096;
