import { ChoiceSelect } from '../parts/fields/choices.js';
import './surveys.css';
import { Button, Group } from '@mantine/core';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { SurveyBundle } from '../../sdk/core/surveys/survey-bundle.js';
import { widgetIn } from '../../sdk/widget/survey-widget.js';
import type { SurveyDraft } from './survey-draft.js';

const AS_WRITTEN = 'original';

/** The survey as a client receives it. Leaves out a logo from another host, because the console requests nothing from other hosts. */
function bundleOf({ name, description, questions, branchingRules, theme, translations }: SurveyDraft): SurveyBundle {
  return {
    survey: { id: 'preview', name, description },
    questions: questions.map((question, order_index) => ({
      id: question.id,
      kind: question.kind,
      prompt: question.prompt || '…',
      required: question.required,
      order_index,
      help_text: question.helpText,
      options: question.options,
      ...(question.scaleMin === null ? {} : { scale_min: question.scaleMin }),
      ...(question.scaleMax === null ? {} : { scale_max: question.scaleMax }),
      ...(question.maxLength === null ? {} : { max_length: question.maxLength }),
    })),
    branching_rules: branchingRules.map(({ fromQuestionId, predicate, toQuestionId }) => ({
      from_question_id: fromQuestionId,
      predicate,
      to_question_id: toQuestionId,
    })),
    theme: theme && {
      primary_color: theme.primaryColor,
      background_color: theme.backgroundColor,
      foreground_color: theme.foregroundColor,
      font_family: theme.fontFamily,
      dark_mode: theme.darkMode,
    },
    translations,
    partial: null,
  };
}

/** Shows the survey in the library's own widget. Answers given here aren't stored. */
export function SurveyPreview({ draft }: { draft: SurveyDraft }) {
  const place = useRef<HTMLDivElement>(null);
  const [language, setLanguage] = useState(AS_WRITTEN);
  const [turn, setTurn] = useState(0);
  const text = useDeferredValue(JSON.stringify(bundleOf(draft)));
  const languages = Object.keys(draft.translations);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn restarts the survey
  useEffect(() => {
    const bundle = JSON.parse(text) as SurveyBundle;
    if (bundle.questions.length === 0) return undefined;
    const locale = language === AS_WRITTEN ? 'en' : language;
    let remove: (() => void) | null = () => undefined;
    void widgetIn(locale).then((view) => {
      if (remove === null) return;
      remove = view(language === AS_WRITTEN ? { ...bundle, translations: {} } : bundle, {
        locale,
        asked: false,
        partial: () => undefined,
        submit: async () => ({ is: 'stored' }),
        closed: () => setTurn((before) => before + 1),
      });
      const host = document.body.lastElementChild as HTMLElement;
      Object.assign(host.style, { position: 'static', display: 'block', zIndex: 'auto' });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.card { width: auto; max-height: none; animation: none }');
      host.shadowRoot?.adoptedStyleSheets.push(sheet);
      place.current?.append(host);
    });
    return () => {
      remove?.();
      remove = null;
    };
  }, [text, language, turn]);
  return (
    <>
      <div ref={place} className="preview" />
      <Group justify="space-between" mt="sm">
        <ChoiceSelect
          aria-label="Preview language"
          choices={[AS_WRITTEN, ...languages]}
          value={languages.includes(language) ? language : AS_WRITTEN}
          onChange={setLanguage}
          w={130}
        />
        <Button variant="subtle" size="compact-xs" onClick={() => setTurn((before) => before + 1)}>
          Start over
        </Button>
      </Group>
    </>
  );
}
