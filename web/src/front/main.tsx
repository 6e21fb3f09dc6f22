import { renderPage } from '../common/page.js';
import { Front } from './front.js';

renderPage(<Front />);
