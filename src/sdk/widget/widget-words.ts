import type { GivenWords, Words } from './words.js';

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    next: 'Next',
    back: 'Back',
    send: 'Send',
    sending: 'Sending…',
    close: 'Close',
    thanks: 'Thank you!',
    over: 'This survey has ended.',
    failed: 'Your answers could not be sent. Please try again.',
    required: 'Please answer this question.',
    invalid: 'Please check this answer.',
    optional: 'optional',
    yes: 'Yes',
    no: 'No',
    opened: 'A short survey has opened at the end of the page:',
    ends: {
      nps: ['Not at all likely', 'Extremely likely'],
      csat: ['Very dissatisfied', 'Very satisfied'],
      likert: ['Strongly disagree', 'Strongly agree'],
    },
  },
  de: {
    next: 'Weiter',
    back: 'Zurück',
    send: 'Senden',
    sending: 'Wird gesendet …',
    close: 'Schließen',
    thanks: 'Vielen Dank!',
    over: 'Diese Umfrage ist beendet.',
    failed: 'Ihre Antworten konnten nicht gesendet werden. Bitte versuchen Sie es noch einmal.',
    required: 'Bitte beantworten Sie diese Frage.',
    invalid: 'Bitte sehen Sie sich diese Antwort noch einmal an.',
    optional: 'freiwillig',
    yes: 'Ja',
    no: 'Nein',
    opened: 'Am Ende der Seite hat sich eine kurze Umfrage geöffnet:',
    ends: {
      nps: ['Sehr unwahrscheinlich', 'Sehr wahrscheinlich'],
      csat: ['Sehr unzufrieden', 'Sehr zufrieden'],
      likert: ['Stimme gar nicht zu', 'Stimme völlig zu'],
    },
  },
  fr: {
    next: 'Suivant',
    back: 'Retour',
    send: 'Envoyer',
    sending: 'Envoi…',
    close: 'Fermer',
    thanks: 'Merci !',
    over: 'Cette enquête est terminée.',
    failed: 'Vos réponses n’ont pas pu être envoyées. Veuillez réessayer.',
    required: 'Veuillez répondre à cette question.',
    invalid: 'Veuillez revoir cette réponse.',
    optional: 'facultatif',
    yes: 'Oui',
    no: 'Non',
    opened: 'Une courte enquête s’est ouverte à la fin de la page :',
    ends: {
      nps: ['Pas du tout probable', 'Très probable'],
      csat: ['Très insatisfait', 'Très satisfait'],
      likert: ['Pas du tout d’accord', 'Tout à fait d’accord'],
    },
  },
  es: {
    next: 'Siguiente',
    back: 'Atrás',
    send: 'Enviar',
    sending: 'Enviando…',
    close: 'Cerrar',
    thanks: '¡Gracias!',
    over: 'Esta encuesta ha terminado.',
    failed: 'No se pudieron enviar sus respuestas. Inténtelo de nuevo.',
    required: 'Responda a esta pregunta.',
    invalid: 'Revise esta respuesta.',
    optional: 'opcional',
    yes: 'Sí',
    no: 'No',
    opened: 'Se ha abierto una breve encuesta al final de la página:',
    ends: {
      nps: ['Nada probable', 'Muy probable'],
      csat: ['Muy insatisfecho', 'Muy satisfecho'],
      likert: ['Muy en desacuerdo', 'Muy de acuerdo'],
    },
  },
};

/** A language tag and its parents, nearest first: `de-AT`, `de`. */
export function languagesOf(locale: string): string[] {
  const parts = locale.replaceAll('_', '-').split('-');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
}

/** The widget's texts in the nearest supported language, else in English; the page's own texts override them. */
export async function wordsFor(locale: string, given: GivenWords = {}): Promise<Words> {
  const tags = languagesOf(locale).map((tag) => tag.toLowerCase());
  const usual = tags.find((tag) => Object.hasOwn(WORDS, tag));
  // A survey in English is better than none.
  const more = usual
    ? undefined
    : await import('./more-words.js').then(
        ({ moreWords }) => moreWords(tags),
        () => undefined,
      );
  const words = more ?? (WORDS[usual ?? 'en'] as Words);
  return { ...words, ...given, ends: { ...words.ends, ...given.ends } };
}
