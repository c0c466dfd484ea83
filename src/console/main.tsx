import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './console.css';
import './app/shell.css';
import './parts/styles/figures.css';
import './parts/styles/forced-colors.css';
import './parts/styles/forms.css';
import './parts/styles/lists.css';
import './parts/styles/page.css';
import './parts/styles/rows.css';
import './parts/styles/touch.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { router } from './app/router.js';
import { STYLE_NONCE } from './app/style-nonce.js';
import { colorsOfRoles, theme } from './app/theme.js';
import { client } from './data/client.js';
import { keepPresses } from './parts/focus/keep-presses.js';

keepPresses();

createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={colorsOfRoles}
      defaultColorScheme="auto"
      getStyleNonce={() => STYLE_NONCE}
    >
      <Provider value={client}>
        {/* Screen readers follow a polite region only if it was there before its content. */}
        <Notifications position="bottom-right" containerWidth={380} aria-live="polite" />
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  </StrictMode>,
);
