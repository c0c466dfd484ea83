import { Migration } from '@mikro-orm/migrations';

/** Source maps uploaded under a path can also be found by their script's file name. */
export class ScriptNamesMigration extends Migration {
  override up(): void {
    this.addSql(`update symbol_table t set keys = t.keys || named.name
      from (select t.id, lower(regexp_replace(regexp_replace(a.match_key, '[?#][^/]*$', ''), '^.*[/\\\\]', '')) as name
              from symbol_table t join symbol_artifact a on a.id = t.artifact_id where t.format = 'source_map') named
     where named.id = t.id and named.name <> '' and not t.keys @> array[named.name]`);
  }
}
