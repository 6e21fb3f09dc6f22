import { BrowserRouter } from 'react-router';
import { renderApp } from '../common/providers.js';
import { Console } from './console.js';

renderApp(
  <BrowserRouter basename="/console">
    <Console />
  </BrowserRouter>,
);
