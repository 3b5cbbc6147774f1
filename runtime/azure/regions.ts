/** Regions of Azure's clouds, by their names in ARM. Source: `az account list-locations`, and the lists of each cloud. */
const regions: ReadonlySet<string> = new Set(
  `asiapacific australiacentral australiacentral2 australiaeast australiasoutheast austriaeast belgiumcentral
   brazilsouth brazilsoutheast brazilus canadacentral canadaeast centralindia centralus centraluseuap centralusstage
   chilecentral chinaeast chinaeast2 chinaeast3 chinanorth chinanorth2 chinanorth3 denmarkeast eastasia eastasiastage
   eastus eastus2 eastus2euap eastus2stage eastusstage eastusstg europe francecentral francesouth germanycentral
   germanynorth germanynortheast germanywestcentral global indonesiacentral israelcentral italynorth japaneast
   japanwest jioindiacentral jioindiawest koreacentral koreasouth malaysiawest mexicocentral newzealandnorth
   northcentralus northeurope norwayeast norwaywest polandcentral qatarcentral southafricanorth southafricawest
   southcentralus southcentralusstg southeastasia southindia spaincentral swedencentral swedensouth switzerlandnorth
   switzerlandwest taiwannorth taiwannorthwest uaecentral uaenorth uksouth ukwest usdodcentral usdodeast usgovarizona
   usgoviowa usgovtexas usgovvirginia westcentralus westeurope westindia westus westus2 westus3`.split(/\s+/),
);

/** The region that a text names in any spelling, such as `West Europe`; undefined for a text that names none. */
export function regionNamed(text: string): string | undefined {
  const name = text.length > 64 ? '' : text.replaceAll(' ', '').toLowerCase();
  return regions.has(name) ? name : undefined;
}
