import { useDebouncedValue } from '@mantine/hooks';
import { FoundProjectsDocument, ShellDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';

interface Project {
  id: string;
  name: string;
}

/** The current project and the first hundred; if there are more, those whose names match the search. */
export function useProjects(typed: string): Project[] {
  const { projectId, projectName } = useScope();
  const [text] = useDebouncedValue(typed.trim(), 150);
  const { data } = useDocument(ShellDocument, {}, { requestPolicy: 'cache-first' });
  const first = data?.projects;
  const hasMore = first ? first.totalCount > first.nodes.length : false;
  const { data: found } = useDocument(
    FoundProjectsDocument,
    { search: text },
    { pause: !hasMore || text === '' || text === projectName, standsIn: true },
  );
  const here = { id: projectId, name: projectName };
  const all = [...(first?.nodes ?? []), ...(found?.projects?.nodes ?? []), here];
  return [...new Map(all.map((project) => [project.id, project])).values()];
}
