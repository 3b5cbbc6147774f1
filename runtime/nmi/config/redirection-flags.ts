import { type Flag, secondsFrom } from '../../base/program.ts';
import { bool, oneOf } from '../../base/settings.ts';

/** Flags for the redirection rules of the node. */
export const redirectionFlags = {
  iptables: {
    flag: 'iptables',
    env: 'IPTABLES',
    default: 'auto',
    meaning: 'auto, nft, legacy; off redirects nothing',
    parse: (setting, text) => oneOf(setting, text, ['auto', 'nft', 'legacy', 'off']),
  },
  iptablesIntervalMs: {
    flag: 'ipt-update-interval-sec',
    env: 'IPT_UPDATE_INTERVAL_SEC',
    default: '60',
    meaning: 'seconds between two checks of the rules',
    parse: secondsFrom(1, 86_400),
  },
  conntrack: {
    flag: 'enable-conntrack-deletion',
    env: 'ENABLE_CONNTRACK_DELETION',
    default: 'true',
    boolean: true,
    meaning: "end pods' connections to the metadata endpoint that are older than the rules",
    parse: bool,
  },
  allowKubenet: {
    flag: 'allow-network-plugin-kubenet',
    env: 'ALLOW_NETWORK_PLUGIN_KUBENET',
    default: 'false',
    boolean: true,
    meaning: 'start although pods share one bridge, where a pod can use the address of another',
    parse: bool,
  },
  kubeletConfig: {
    flag: 'kubelet-config',
    env: 'KUBELET_CONFIG',
    default: '/etc/default/kubelet',
    meaning: 'file that shows whether the node uses kubenet; optional',
  },
  cleanup: {
    flag: 'cleanup',
    env: 'NMI_CLEANUP',
    default: 'false',
    boolean: true,
    meaning: 'remove every rule, chain and address of this daemon from the node, then end',
    parse: bool,
  },
} as const satisfies Record<string, Flag>;
