//! Generated values are what they were after they were written and read.

mod round_trips {
    mod arrays;
    mod attributes;
    mod dtypes;
    mod items;
    mod layouts;
    mod neighbours;
    mod states;
    mod values;
}
