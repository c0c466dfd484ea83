import { useDebouncedValue } from '@mantine/hooks';
import { FoundProjectsDocument, ShellDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';

interface Project {
  id: string;
  name: string;
}

/** The current project and the first hundred; if there are `others`, those of them whose names match the search. */
export function useProjects(typed: string): { projects: Project[]; others: number } {
  const { projectId, projectName } = useScope();
  const [text] = useDebouncedValue(typed.trim(), 150);
  const { data } = useDocument(ShellDocument, {}, { requestPolicy: 'cache-first' });
  const first = data?.projects;
  const others = first ? first.totalCount - first.nodes.length : 0;
  const { data: found } = useDocument(
    FoundProjectsDocument,
    { search: text },
    { pause: others === 0 || text === '' || text === projectName, standsIn: true },
  );
  const here = { id: projectId, name: projectName };
  const all = [...(first?.nodes ?? []), ...(found?.projects?.nodes ?? []), here];
  return { projects: [...new Map(all.map((project) => [project.id, project])).values()], others };
}
