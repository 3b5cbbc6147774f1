/** The JSON document that kubelet reads. */
export interface DriverAnswer {
  readonly status: 'Success' | 'Failure' | 'Not supported';
  readonly message?: string;
  readonly capabilities?: { readonly attach: boolean; readonly fsGroup: boolean; readonly selinuxRelabel: boolean };
}

/**
 * With `fsGroup`, kubelet would make the files writable for the group, so the driver sets the group itself. On SELinux
 * only the container runtime knows the label of a pod, so it may relabel, as by default.
 */
const capabilities = { attach: false, fsGroup: false, selinuxRelabel: true } as const;

/** The answer to a command that needs no work; undefined for `mount` and `unmount`. */
export function plainAnswer(command: string | undefined): DriverAnswer | undefined {
  if (command === 'mount' || command === 'unmount') return undefined;
  if (command === 'init') return { status: 'Success', capabilities };
  return { status: 'Not supported' };
}

/**
 * The answer as one line of JSON. The driver always exits with 0: with another code, kubelet logs all arguments of the
 * call, which include the client secret of a service principal.
 */
export function writtenAnswer(answer: DriverAnswer): string {
  // JSON permits these two characters, which some readers take for line ends.
  return `${JSON.stringify(answer).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
