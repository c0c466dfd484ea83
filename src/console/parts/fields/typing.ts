/** The properties of an input that shows a text and reports what the viewer makes of it. */
export const typing = (value: string, onChange: (text: string) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
});
