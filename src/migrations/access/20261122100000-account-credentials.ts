import { Migration } from '@mikro-orm/migrations';

/**
 * Moves passwords from users to their memberships; every membership starts with its user's password. Remaining API
 * tokens of removed members are revoked.
 *
 * The triggers support processes of the previous release, which only know user passwords, while both serve one
 * database: a password set on one side also applies on the other. A membership they create gets the user's password
 * only if nobody else can have chosen it: as the first membership of the user or of its organization. In other cases
 * the user must be added again. Columns and triggers can be dropped once no such process is left.
 */
export class AccountCredentialsMigration extends Migration {
  override up(): void {
    this.addSql(`alter table app_user
        alter column password_hash drop not null,
        alter column password_changed_at set default now(),
        add column password_salt uuid not null default gen_random_uuid()`);
    this.addSql(`update app_user set password_salt =
        encode(decode(translate(split_part(password_hash, '$', 5), '-_', '+/') || '==', 'base64'), 'hex')::uuid`);
    this.addSql(`alter table membership
        add column password_hash text null,
        add column password_changed_at timestamptz not null default now(),
        add column must_change_password boolean not null default false,
        add column credential_id uuid null,
        add column kept_session_id uuid null`);
    this.addSql(`update membership m set password_hash = u.password_hash, password_changed_at = u.password_changed_at,
        credential_id = u.id from app_user u where u.id = m.user_id`);
    this.addSql(`alter table membership alter column credential_id set not null`);
    this.addSql(`update api_token t set revoked_at = now() where revoked_at is null and not exists (
        select from membership m where m.organization_id = t.organization_id and m.user_id = t.user_id)`);
    this.addSql(`create function take_password_of_person() returns trigger language plpgsql as $$
      begin
        new.credential_id := gen_random_uuid();
        if not exists (select from membership where user_id = new.user_id)
          or not exists (select from membership where organization_id = new.organization_id) then
          select password_hash into new.password_hash from app_user where id = new.user_id;
        end if;
        return new;
      end $$`);
    this.addSql(`create trigger membership_of_release_before before insert on membership
      for each row when (new.credential_id is null) execute function take_password_of_person()`);
    this.addSql(`create function take_changed_password_of_person() returns trigger language plpgsql as $$
      declare fresh uuid := gen_random_uuid();
      begin
        update membership set password_hash = new.password_hash, password_changed_at = new.password_changed_at,
            must_change_password = false, credential_id = fresh, kept_session_id = null
          where user_id = new.id and password_hash = old.password_hash;
        return null;
      end $$`);
    this.addSql(`create trigger password_of_release_before after update of password_hash on app_user
      for each row when (pg_trigger_depth() = 0 and new.password_hash is distinct from old.password_hash)
      execute function take_changed_password_of_person()`);
    this.addSql(`create function give_password_to_person() returns trigger language plpgsql as $$
      declare former text := case when tg_op = 'UPDATE' then old.password_hash end;
      begin
        update app_user set password_hash = new.password_hash, password_changed_at = new.password_changed_at
          where id = new.user_id and password_hash is not distinct from former;
        return null;
      end $$`);
    this.addSql(`create trigger password_for_release_before after insert or update of password_hash on membership
      for each row when (new.password_hash is not null) execute function give_password_to_person()`);
  }
}
