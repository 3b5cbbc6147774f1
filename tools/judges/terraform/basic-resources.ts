import { block, type Configured, password, placed } from './blocks.ts';

/** Of every machine: its user, disk and image. */
const linux = `
  admin_username                  = "lab"
  admin_password                  = "${password}"
  disable_password_authentication = false
  os_disk {
    caching              = "ReadWrite"
    storage_account_type = "Standard_LRS"
  }
  source_image_reference {
    publisher = "Canonical"
    offer     = "0001-com-ubuntu-server-jammy"
    sku       = "22_04-lts-gen2"
    version   = "latest"
  }`;

/** Groups, networks, storage, vaults, identities, machines. */
export const basicResources: Readonly<Record<string, Configured>> = {
  azurerm_resource_group: {
    block: block(
      'azurerm_resource_group',
      '\n  name = "terraform"\n  location = "westeurope"\n  tags = { team = "lab" }',
    ),
  },
  azurerm_virtual_network: {
    block: placed('azurerm_virtual_network', '\n  name = "net"\n  address_space = ["10.0.0.0/16"]'),
  },
  azurerm_subnet: {
    with: ['azurerm_virtual_network'],
    block: block(
      'azurerm_subnet',
      `
  name                 = "sub"
  resource_group_name  = azurerm_resource_group.one.name
  virtual_network_name = azurerm_virtual_network.one.name
  address_prefixes     = ["10.0.1.0/24"]`,
    ),
  },
  azurerm_network_security_group: {
    block: placed(
      'azurerm_network_security_group',
      `
  name = "nsg"
  security_rule {
    name                       = "ssh"
    priority                   = 100
    direction                  = "Inbound"
    access                     = "Allow"
    protocol                   = "Tcp"
    source_port_range          = "*"
    destination_port_range     = "22"
    source_address_prefix      = "*"
    destination_address_prefix = "*"
  }`,
    ),
  },
  azurerm_route_table: {
    block: placed(
      'azurerm_route_table',
      `
  name = "routes"
  route {
    name           = "out"
    address_prefix = "10.1.0.0/16"
    next_hop_type  = "VnetLocal"
  }`,
    ),
  },
  azurerm_public_ip: {
    block: placed('azurerm_public_ip', '\n  name = "ip"\n  allocation_method = "Static"\n  sku = "Standard"'),
  },
  azurerm_network_interface: {
    with: ['azurerm_virtual_network', 'azurerm_subnet'],
    block: placed(
      'azurerm_network_interface',
      `
  name = "nic"
  ip_configuration {
    name                          = "internal"
    subnet_id                     = azurerm_subnet.one.id
    private_ip_address_allocation = "Dynamic"
  }`,
    ),
  },
  azurerm_lb: {
    with: ['azurerm_public_ip'],
    block: placed(
      'azurerm_lb',
      `
  name = "lb"
  sku  = "Standard"
  frontend_ip_configuration {
    name                 = "front"
    public_ip_address_id = azurerm_public_ip.one.id
  }`,
    ),
  },
  azurerm_nat_gateway: { block: placed('azurerm_nat_gateway', '\n  name = "nat"\n  sku_name = "Standard"') },
  azurerm_managed_disk: {
    block: placed(
      'azurerm_managed_disk',
      `
  name                 = "disk"
  storage_account_type = "Standard_LRS"
  create_option        = "Empty"
  disk_size_gb         = 32`,
    ),
  },
  azurerm_storage_account: {
    block: placed(
      'azurerm_storage_account',
      `
  name                     = "terraformlab"
  account_tier             = "Standard"
  account_replication_type = "LRS"`,
    ),
  },
  azurerm_storage_container: {
    with: ['azurerm_storage_account'],
    block: block(
      'azurerm_storage_container',
      '\n  name = "files"\n  storage_account_id = azurerm_storage_account.one.id',
    ),
  },
  azurerm_key_vault: {
    block: placed(
      'azurerm_key_vault',
      `
  name      = "terraform-lab"
  tenant_id = data.azurerm_client_config.me.tenant_id
  sku_name  = "standard"

  rbac_authorization_enabled = false
  access_policy {
    tenant_id          = data.azurerm_client_config.me.tenant_id
    object_id          = data.azurerm_client_config.me.object_id
    secret_permissions = ["Get", "Set", "Delete", "List", "Purge", "Recover"]
  }`,
    ),
  },
  azurerm_key_vault_secret: {
    with: ['azurerm_key_vault'],
    block: block(
      'azurerm_key_vault_secret',
      '\n  name = "word"\n  value = "one"\n  key_vault_id = azurerm_key_vault.one.id',
    ),
  },
  azurerm_user_assigned_identity: { block: placed('azurerm_user_assigned_identity', '\n  name = "identity"') },
  azurerm_role_assignment: {
    with: ['azurerm_user_assigned_identity'],
    block: block(
      'azurerm_role_assignment',
      `
  scope                = azurerm_resource_group.one.id
  role_definition_name = "Reader"
  principal_id         = azurerm_user_assigned_identity.one.principal_id`,
    ),
  },
  azurerm_linux_virtual_machine: {
    with: ['azurerm_virtual_network', 'azurerm_subnet', 'azurerm_network_interface'],
    block: placed(
      'azurerm_linux_virtual_machine',
      `
  name                            = "vm"
  size                            = "Standard_D2s_v3"
  network_interface_ids           = [azurerm_network_interface.one.id]
${linux}`,
    ),
  },
  azurerm_linux_virtual_machine_scale_set: {
    with: ['azurerm_virtual_network', 'azurerm_subnet'],
    block: placed(
      'azurerm_linux_virtual_machine_scale_set',
      `
  name                            = "set"
  sku                             = "Standard_D2s_v3"
  instances                       = 2
${linux}
  network_interface {
    name    = "nic"
    primary = true
    ip_configuration {
      name      = "internal"
      primary   = true
      subnet_id = azurerm_subnet.one.id
    }
  }`,
    ),
  },
};
