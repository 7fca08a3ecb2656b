import{g as e}from"./chunk-7KYNOI5T.js";function i(){return e("h1",{children:"Timeline"})}export{i as default};
