import{g as t}from"./chunk-7KYNOI5T.js";function e(){return t("h1",{children:"System"})}export{e as default};
