type Key = Deno.KvKey;

/**
 * Rows of the store itself, and of all rooms.
 *
 * | key | value | why |
 * |---|---|---|
 * | store_version | number of migrations that have run | see migrations.ts |
 * | store_identity | StoreIdentity | backups and copies of other stores are told apart: see store_identity.ts |
 * | store_writer | version of Callboard | the program that last started on the store, named where it is needed again |
 * | store_upgrade | UpgradeRow | progress of the current migration, until it is finished: see migrations.ts |
 * | store_upgrader | UpgradeLease | the server that upgrades a shared store, meanwhile: see upgrade_lease.ts |
 * | store_copied | true | the store was copied before the current upgrade, until that is finished: see upgrade_copies.ts |
 * | secret_key_proof | sealed text | servers that share a store must have one secret key |
 * | secret_key_rotation | RotationRow | progress of the change to another secret key: see secret_key/rotation.ts |
 * | ids, kind | last id | ids are integers and are never reused |
 * | maintenance | MaintenanceRow | maintenance that is planned or in force, for all servers: see access/maintenance.ts |
 * | probe | any | written to measure the response time of the store |
 */
export const storeKeys = {
  storeVersion: (): Key => ["store_version"],
  storeIdentity: (): Key => ["store_identity"],
  storeWriter: (): Key => ["store_writer"],
  storeUpgrade: (): Key => ["store_upgrade"],
  storeUpgrader: (): Key => ["store_upgrader"],
  storeCopied: (): Key => ["store_copied"],
  secretKeyProof: (): Key => ["secret_key_proof"],
  secretKeyRotation: (): Key => ["secret_key_rotation"],
  lastId: (kind: string): Key => ["ids", kind],
  maintenance: (): Key => ["maintenance"],
  probe: (): Key => ["probe"],
};
