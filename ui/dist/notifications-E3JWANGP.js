import{g as i}from"./chunk-7KYNOI5T.js";function t(){return i("h1",{children:"Notifications"})}export{t as default};
