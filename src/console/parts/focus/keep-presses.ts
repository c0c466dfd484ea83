interface Press {
  button: HTMLButtonElement;
  /** Where it was when it was pressed. */
  place: DOMRect;
}

/**
 * A press that ends where it began is a click on the button that was there then. Whoever presses one leaves a field, which may grow by a line for
 * what was typed in it: browsers give the click to whatever has come under the pointer.
 */
export function keepPresses(): void {
  let press: Press | undefined;
  const begin = ({ target }: PointerEvent) => {
    const button = target instanceof Element ? target.closest('button') : null;
    press = button ? { button, place: button.getBoundingClientRect() } : undefined;
  };
  const end = (event: MouseEvent) => {
    const pressed = press;
    press = undefined;
    if (!pressed || event.detail === 0 || pressed.button.contains(event.target as Node)) return;
    const { left, right, top, bottom } = pressed.place;
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) return;
    event.preventDefault();
    event.stopPropagation();
    pressed.button.click();
  };
  document.addEventListener('pointerdown', begin, true);
  document.addEventListener('click', end, true);
}
